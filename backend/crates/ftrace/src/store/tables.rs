//! One declaration of each table that a trace is stored in, for the encoder, the decoder and the schema.
//!
//! A test holds the migration that creates them against this file. Every record of a block lies in
//! `[t0, t1)`. Every array has `count` elements or none; what none stands for is said beside its table.
//! Only what records of a block share is apart: of that, the arrays hold each combination once, and an
//! array `…_idx` says for each record, counted from zero, which is its own.

use std::fmt::Write;

/// The type of a column; arrays have one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int2,
    Int4,
    Int8,
    Text,
    Int2Array,
    Int4Array,
    Int8Array,
    TextArray,
}

impl Type {
    /// The type's name in SQL.
    pub fn sql(self) -> &'static str {
        match self {
            Type::Int2 => "smallint",
            Type::Int4 => "integer",
            Type::Int8 => "bigint",
            Type::Text => "text",
            Type::Int2Array => "smallint[]",
            Type::Int4Array => "integer[]",
            Type::Int8Array => "bigint[]",
            Type::TextArray => "text[]",
        }
    }

    /// The clause that keeps PostgreSQL from compressing a column. Its pglz takes several times the CPU
    /// of everything else that it does for a block; on integers that repeat no more than these, that
    /// buys little.
    fn storage(self) -> &'static str {
        match self {
            Type::Int2Array | Type::Int4Array | Type::Int8Array => " STORAGE EXTERNAL",
            _ => "",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub column_type: Type,
    pub nullable: bool,
}

/// A table whose rows belong to one trace each; its first column and the first of its key is `trace_key`.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    pub columns: &'static [Column],
    /// The columns of the primary key.
    pub key: &'static [&'static str],
}

impl Table {
    /// The statement that creates the table, as the migration holds it.
    pub fn create_statement(&self) -> String {
        let mut sql = format!("CREATE TABLE {} (\n", self.name);
        for column in self.columns {
            let constraint = if column.nullable { "" } else { " NOT NULL" };
            let storage = column.column_type.storage();
            // Writing to a String cannot fail.
            let _ = writeln!(sql, "    {} {}{storage}{constraint},", column.name, column.column_type.sql());
        }
        let _ = write!(sql, "    PRIMARY KEY ({})\n)", self.key.join(", "));
        sql
    }
}

macro_rules! column_type {
    (int2) => {
        Type::Int2
    };
    (int4) => {
        Type::Int4
    };
    (int8) => {
        Type::Int8
    };
    (text) => {
        Type::Text
    };
    (int2s) => {
        Type::Int2Array
    };
    (int4s) => {
        Type::Int4Array
    };
    (int8s) => {
        Type::Int8Array
    };
    (texts) => {
        Type::TextArray
    };
}

macro_rules! column {
    ($name:ident $column_type:ident) => {
        Column { name: stringify!($name), column_type: column_type!($column_type), nullable: false }
    };
    ($name:ident $column_type:ident null) => {
        Column { name: stringify!($name), column_type: column_type!($column_type), nullable: true }
    };
}

macro_rules! tables {
    ($( $(#[$doc:meta])* $constant:ident $table:ident
        { $( $column:ident: $column_type:ident $($null:ident)? ),* } key $( $key:ident ),*; )*) => {
        $(
            $(#[$doc])*
            pub static $constant: Table = Table {
                name: stringify!($table),
                columns: &[ column!(trace_key int8), $( column!($column $column_type $($null)?) ),* ],
                key: &[ "trace_key", $( stringify!($key) ),* ],
            };
        )*
        /// Every table.
        pub static ALL: &[&Table] = &[ $( &$constant ),* ];
    };
}

tables! {
    /// Tasks by `idx`. `pid` is NULL where the file never says it; `cpu` is given for idle tasks
    /// (pid 0), of which every CPU has its own.
    /// `prio` is the kernel's priority that it was switched to with most often; NULL where no event says.
    TASK task {
        idx: int4, pid: int4 null, cpu: int2 null, tgid: int4 null, comm: text, event_count: int8,
        prio: int2 null
    } key idx;
    /// Event types by `idx`. `kind`: `tracepoint`, `print`, `bprint`, `function`, `tracer`, `unknown`.
    EVENT_TYPE event_type { idx: int4, name: text, kind: text, system: text null, event_count: int8 } key idx;
    /// The fields of events that hold numbers, as they are found in the first events of each `type`.
    /// `unit_ns` is NULL where a value is not known to be a duration; `unit_source` says where the
    /// unit was found: after the `value`, at the end of the field's `name`, or after another field of the
    /// `event`. `is_sampled`, if not zero: the durations are samples of the kind `field`, too.
    EVENT_FIELD event_field {
        idx: int4, type: int2, name: text, unit_ns: int8 null, unit_source: text null, is_sampled: int2
    } key idx;
    /// Names on slices by `idx`: functions, interrupts, softirq vectors, idle states.
    SYMBOL symbol { idx: int4, name: text, module: text null } key idx;
    /// Names of counters by `idx`.
    COUNTER counter { idx: int4, name: text, unit: text null } key idx;
    /// Problems met while reading, one row a code, with the place of the first.
    DIAGNOSTIC diagnostic {
        code: text, severity: text, count: int8, first_line: int8 null, first_byte_offset: int8, sample: text
    } key code;
    /// The single problems that are kept, in the order of the file.
    DIAGNOSTIC_LINE diagnostic_line {
        idx: int4, code: text, line: int8 null, byte_offset: int8, sample: text
    } key idx;
    /// Intervals of which nothing is known because events were lost. `cpu` is NULL where the file gives
    /// only a total, `lost_count` where it does not say how many.
    LOSS loss { idx: int4, cpu: int2 null, start_ns: int8, end_ns: int8, lost_count: int8 null } key idx;
    /// Hand-written notes in the file.
    NOTE note { idx: int4, t_ns: int8, cpu: int2 null, text: text } key idx;
    /// Stacks, innermost frame first; `kind` is `kernel` or `user`.
    STACK stack { idx: int4, t_ns: int8, cpu: int2 null, kind: text, task: int4 null, frames: texts } key idx;
    /// Statistics of the calls of a function over the whole trace.
    FUNCTION_STAT function_stat {
        symbol: int4, count: int8, total_ns: int8, self_ns: int8, min_ns: int8, p50_ns: int8, p99_ns: int8,
        max_ns: int8, slowest_call: int4, slowest_start_ns: int8, slowest_cpu: int2, slowest_task: int4 null,
        slowest_depth: int2
    } key symbol;
    /// The merged call tree of the whole trace, parents before children. Node `i` of a block is node
    /// `first_node + i` of the tree; a root has no `parent`. Elements of `task` are NULL where the
    /// task is not known, of `p50_ns` where the tree was too large to keep it.
    CALLTREE_BLOCK calltree_block {
        block: int4, first_node: int4, count: int4, parent: int4s, symbol: int4s, cpu: int2s, task: int4s,
        calls: int8s, total_ns: int8s, self_ns: int8s, min_ns: int8s, p50_ns: int8s, max_ns: int8s
    } key block;
    /// Consecutive events in file order, the first of them event `first_seq` of the trace. `dt` holds
    /// distances in time, from `t0` for the first. Events share a context (`cpu`, `task`, `flags`, `buffer`) and a
    /// message (`type`, `args`). No `flags`: the file has no flag column. `buffer` is a place in the trace's
    /// `buffers`, counted from zero, the top one; none: there is only that.
    EVENT_BLOCK event_block {
        block: int4, t0: int8, t1: int8, count: int4, first_seq: int8, dt: int4s, context_idx: int2s,
        message_idx: int2s, cpu: int2s, task: int4s, flags: int4s, type: int2s, args: texts, buffer: int2s
    } key block;
    /// Slices of one kind that ended one after the other, sorted by their start in each block. `dt`
    /// is as for events. A slice of more than 2.1 s lasts `duration_ns + duration_excess_ns`, and so for
    /// `self_ns`. Slices share a context (`cpu`, `task`, `symbol`, `depth`, `flags`). A slice's id is one more
    /// than that of the slice before; but at each place of `id_at`, counted from zero, it is `id_step` more, the
    /// first counted from zero. None of an array stands for: no `self_ns`, it is the duration; no excess, it
    /// is zero; no `id_at`, no slice has an id; no `parent`, `args` or `retval`, there is none. Elements of
    /// `task`, `symbol` and `parent` may be NULL. A slice of the kind `task` is time in which a task has no CPU:
    /// `depth` is its state (1 runnable, 2 preempted, 3 blocked), `symbol` says for what; a block holds those of
    /// about one length. So does one of arrows (`wakeup_arrow` and others), whose `cpu` and `task` are where it ends;
    /// `depth` is the CPU and `parent` the task where it begins, at its start.
    SLICE_BLOCK slice_block {
        kind: int2, block: int4, t0: int8, t1: int8, count: int4, max_ns: int8, dt: int4s, duration_ns: int4s,
        duration_excess_ns: int8s, self_ns: int4s, self_excess_ns: int8s, id_at: int2s, id_step: int4s,
        parent: int4s, context_idx: int2s, cpu: int2s, task: int4s, symbol: int4s, depth: int2s, flags: int2s,
        args: texts, retval: texts
    } key kind, block;
    /// Changes of counters in file order; `dt` is as for events.
    COUNTER_BLOCK counter_block {
        block: int4, t0: int8, t1: int8, count: int4, dt: int4s, counter: int2s, cpu: int2s, value: int8s
    } key block;
    /// One zoom level of one lane: cells of `width_ns`, empty ones left out. Cell `i` starts at
    /// `(first_bucket + bucket[i]) * width_ns`, the last is `last_bucket`. `slices` counts starts in the cell, `busy_ns` is exact
    /// overlap, the other columns are of the longest slice that touches it. A lane of the kind `task` is one state of one
    /// task: `cpu` is the state (0 running), `depth` the task; blocked is what is left.
    ROLLUP_BLOCK rollup_block {
        kind: int2, level: int2, cpu: int2, depth: int2, block: int4, width_ns: int8, first_bucket: int8,
        last_bucket: int8, count: int4, bucket: int4s, slices: int4s, busy_ns: int8s, max_ns: int8s,
        max_start_ns: int8s, task: int4s, symbol: int4s
    } key kind, level, cpu, depth, block;
    /// What took the time of each CPU, summed over the whole trace. `cause` is a kind of slices; `symbol` is the
    /// interrupt, the softirq, or where interrupts or preemption were switched off; `task` is the one that ran,
    /// `victim` the one that was interrupted. Every nanosecond of a CPU counts to the innermost cause alone, so
    /// `total_ns` and `max_ns` are without what is nested; what a tracer states counts where nothing else shows
    /// the same. A row of switches with a `victim` is what it did not get of the time that it was switched in
    /// for, whatever took it. Causes past a limit have no names, and are one for each CPU and kind.
    INTERFERENCE interference {
        idx: int4, cpu: int2, victim: int4 null, cause: int2, symbol: int4 null, task: int4 null, count: int8,
        total_ns: int8, max_ns: int8, max_start_ns: int8, first_start_ns: int8, last_start_ns: int8
    } key idx;
    /// Latency samples of one kind, as slices are stored. `max_ns` is the longest of the block. Samples share
    /// a context (`cpu` and all after it). None of an array stands for: no excess, it is zero; no
    /// `start_cpu`, it is `cpu`; no `flags`, they are zero; no `weight`, it is 1; of the others, not known. Elements of
    /// `sleep_ns`, and of a context's all but `cpu` and `flags`, may be NULL.
    SAMPLE_BLOCK sample_block {
        kind: int2, block: int4, t0: int8, t1: int8, count: int4, max_ns: int8, dt: int4s, duration_ns: int4s,
        duration_excess_ns: int8s, sleep_ns: int8s, context_idx: int2s, cpu: int2s, start_cpu: int2s,
        task: int4s, symbol: int4s, flags: int2s, frequency_khz: int4s, idle_state: int2s, weight: int8s
    } key kind, block;
    /// Every kind of latency that the trace has samples of. Element `i` of `log2_counts` counts durations
    /// of `i` bits.
    LATENCY_KIND latency_kind {
        kind: int2, name: text, count: int8, min_ns: int8, max_ns: int8, total_ns: int8, log2_counts: int8s
    } key kind;
    /// What gave no number, by kind and reason.
    LATENCY_INCOMPLETE latency_incomplete { kind: int2, reason: text, count: int8 } key kind, reason;
    /// The worst samples of each kind; `rank` 0 is the worst.
    LATENCY_CASE latency_case {
        kind: int2, rank: int4, start_ns: int8, duration_ns: int8, cpu: int2, start_cpu: int2 null,
        task: int4 null, symbol: int4 null, flags: int2, sleep_ns: int8 null, frequency_khz: int4 null,
        idle_state: int2 null, weight: int8
    } key kind, rank;
    /// How many samples a task has of each kind that is about tasks, and its worst one. Of very many tasks,
    /// those that come first.
    LATENCY_TASK latency_task {
        kind: int2, task: int4, count: int8, start_ns: int8, duration_ns: int8, cpu: int2,
        start_cpu: int2 null, symbol: int4 null, flags: int2, sleep_ns: int8 null,
        frequency_khz: int4 null, idle_state: int2 null
    } key kind, task;
    /// What all samples of a kind come to, and those of a group: `group_by` is `all`, `cpu`, `task` (tasks of one
    /// name), `key`, `sleep` (how long the task slept), `frequency` or `idle_state` (what the CPU had to leave).
    /// `squares`, the sum of squared durations, is `NULL` past 128 bits. `max_owner` and `max_start_ns` name the longest. A value of `value_ns` stands for itself, or unless `is_exact` for the cell
    /// that begins with it and ends before the next number of the same first ten bits.
    LATENCY_SUMMARY latency_summary {
        kind: int2, group_by: text, group_name: text, count: int8, total_ns: text, squares: text null,
        min_ns: int8, max_ns: int8, max_start_ns: int8, max_owner: text, max_key: text null, is_exact: int2,
        value_ns: int8s, value_count: int8s
    } key kind, group_by, group_name;
    /// Of each kind, and of each of its tasks that are kept apart: how many samples fell into each cell of durations.
    LATENCY_TAIL latency_tail {
        kind: int2, subject: int4, task: int4 null, prio: int2 null, cell: int2s, count: int8s,
        total_ns: int8s, min_ns: int8s, max_ns: int8s
    } key kind, subject;
    /// What the time of those samples was: by cause and mechanism, and by stage.
    LATENCY_TAIL_PART latency_tail_part {
        kind: int2, subject: int4, part: int4, cause: text null, name: text null, mechanism: text null,
        stage_from: text null, stage_to: text null, cell: int2s, duration_ns: int8s
    } key kind, subject, part;
}

/// What is read of tables without reading all of them: each is a table or a part of one, with fewer columns or with
/// each combination once.
pub mod projections {
    use super::{Column, Table, Type};

    tables! {
        /// Blocks of slices without their records.
        SLICE_HEADER slice_header {
            kind: int2, block: int4, t0: int8, t1: int8, count: int4, max_ns: int8
        } key kind, block;
        /// Blocks of samples without their records.
        SAMPLE_HEADER sample_header {
            kind: int2, block: int4, t0: int8, t1: int8, count: int4, max_ns: int8
        } key kind, block;
        /// Blocks of events without their records.
        EVENT_HEADER event_header { block: int4, t0: int8, t1: int8, count: int4 } key block;
        /// Blocks of rollups without their cells.
        ROLLUP_HEADER rollup_header {
            kind: int2, level: int2, cpu: int2, depth: int2, block: int4, width_ns: int8, first_bucket: int8,
            last_bucket: int8, count: int4
        } key kind, level, cpu, depth, block;
        /// First sentences of the cases that were explained when the trace was loaded.
        EXPLANATION latency_explanation { kind: int2, rank: int4, id: text, headline: text } key kind, rank;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const SCHEMA: [&str; 7] = [
        include_str!("../../../../../migrations/schema/names.sql"),
        include_str!("../../../../../migrations/schema/remarks.sql"),
        include_str!("../../../../../migrations/schema/blocks.sql"),
        include_str!("../../../../../migrations/schema/rollups.sql"),
        include_str!("../../../../../migrations/schema/latencies.sql"),
        include_str!("../../../../../migrations/schema/latency_tail.sql"),
        include_str!("../../../../../migrations/schema/latency_summary.sql"),
    ];

    #[test]
    fn the_schema_creates_these_tables() {
        let sql = SCHEMA.concat().replace("IF NOT EXISTS ", "");
        let created: BTreeMap<&str, &str> = sql
            .split("CREATE TABLE ")
            .skip(1)
            .filter_map(|statement| Some((statement.split_once(' ')?.0, statement)))
            .collect();
        for table in ALL {
            let expected = table.create_statement();
            let found = format!("CREATE TABLE {}", created[table.name]);
            assert_eq!(found.get(..expected.len()), Some(expected.as_str()));
        }
        // Explanations are written beside the blocks, from what is read back of them.
        assert_eq!(created.len(), ALL.len().saturating_add(1));
    }

    #[test]
    fn keys_are_columns_that_are_never_null() {
        for table in ALL {
            for key in table.key {
                let column = table.columns.iter().find(|column| column.name == *key).unwrap();
                assert!(!column.nullable, "{}.{key}", table.name);
            }
        }
    }
}
