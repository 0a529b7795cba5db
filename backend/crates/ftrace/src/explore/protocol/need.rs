//! What a question needs of what is stored.

use serde::Serialize;

/// Rows of one table of one trace, as a complete binary COPY stream in the order of the primary key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// Id of the trace.
    pub trace: String,
    pub table: &'static str,
    /// All of these hold for each row; none stands for the whole table.
    #[serde(rename = "where")]
    pub filters: Vec<Filter>,
    /// True where of slices only what says something about latency samples is needed.
    pub is_for_samples: bool,
}

/// A condition on rows. Which columns it is about follows from the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// By primary key without the trace's: `(kind, block)`, or the number of a block that has no kind.
    Rows(Vec<RowId>),
    /// Has an instant in `[start_ns, end_ns)`.
    Touches(i64, i64),
    /// Holds one of the values, as that column of its header lists them.
    Holds(Listed, Vec<i32>),
    /// The name under which a question kept it; an empty stream where it is gone.
    Name(String),
}

/// A column of block headers that lists each value in the block once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Listed {
    Cpu,
    /// Indices of tasks.
    Task,
    /// Indices of event types.
    Type,
    /// Indices of functions.
    Symbol,
}

impl Listed {
    /// The column's.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Task => "task",
            Self::Type => "type",
            Self::Symbol => "symbol",
        }
    }
}

/// The primary key of a block without the trace's.
pub type RowId = Vec<i32>;

impl Need {
    /// All rows of a table.
    pub fn whole(trace: &str, table: &'static str) -> Self {
        Self { trace: trace.to_owned(), table, filters: Vec::new(), is_for_samples: false }
    }

    /// The rows among these for which `filter` holds, too.
    pub fn filtered(self, filter: Filter) -> Self {
        let mut filters = self.filters;
        filters.push(filter);
        Self { filters, ..self }
    }

    /// True where no row can hold, so that nothing has to be fetched.
    pub fn is_empty(&self) -> bool {
        self.filters.iter().any(|filter| match filter {
            Filter::Rows(rows) => rows.is_empty(),
            Filter::Holds(_, values) => values.is_empty(),
            Filter::Touches(..) | Filter::Name(_) => false,
        })
    }
}
