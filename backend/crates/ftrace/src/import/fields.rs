//! Which fields of events hold numbers, so that any of them can be asked for as a series.

use crate::events::{UnitSource, pair_number, pairs, stated_duration, unit_beside};
use crate::model::ReadError;
use crate::store::tables::EVENT_FIELD;
use crate::store::writer::TableWriter;

/// Events of a type that are looked at: one name may stand for several forms.
const LOOKED_AT: u8 = 64;
/// Fields of one type, and of all types together.
const MAX_FIELDS_OF_TYPE: usize = 64;
const MAX_FIELDS: usize = 16_384;

/// The fields of all types of events of a trace.
#[derive(Default)]
pub struct EventFields {
    /// By index of the type.
    types: Vec<TypeFields>,
    field_count: usize,
}

#[derive(Clone, Default)]
struct TypeFields {
    looked_at: u8,
    fields: Vec<Field>,
}

#[derive(Clone)]
struct Field {
    name: Box<str>,
    unit: Option<Unit>,
}

#[derive(Clone, Copy)]
struct Unit {
    unit_ns: i64,
    source: UnitSource,
    /// The name says that the value is a duration.
    is_named: bool,
}

impl EventFields {
    /// Looks at an event of the type with this index; after some, at none.
    pub fn look(&mut self, type_idx: usize, event: &[u8], args: &[u8]) {
        if self.types.len() <= type_idx {
            self.types.resize(type_idx.saturating_add(1), TypeFields::default());
        }
        let Some(known) = self.types.get_mut(type_idx).filter(|known| known.looked_at < LOOKED_AT) else {
            return;
        };
        known.looked_at = known.looked_at.saturating_add(1);
        let (Ok(event), Ok(text)) = (str::from_utf8(event), str::from_utf8(args)) else { return };
        let before = known.fields.len();
        let room = MAX_FIELDS.saturating_sub(self.field_count);
        known.look(event, text, before.saturating_add(room).min(MAX_FIELDS_OF_TYPE));
        let found = known.fields.len().saturating_sub(before);
        self.field_count = self.field_count.saturating_add(found);
    }

    /// `is_sampled` says of event and field, by their names, whether samples of it were stored; `name` is that
    /// of a type.
    pub fn write<'n>(
        &self,
        name: impl Fn(usize) -> Option<&'n [u8]>,
        is_sampled: impl Fn(&str, &str) -> bool,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        let mut idx = 0_i32;
        for (type_idx, known) in self.types.iter().enumerate() {
            let Some(event) = name(type_idx).and_then(|name| str::from_utf8(name).ok()) else { continue };
            for field in &known.fields {
                let sampled = field.unit.is_some() && is_sampled(event, &field.name);
                // A unit shows only that it is a time; the values have to show the rest.
                let unit = field.unit.filter(|unit| unit.is_named || sampled);
                writer.row(&EVENT_FIELD, |row| {
                    row.int(idx).int(i16::try_from(type_idx).unwrap_or(i16::MAX));
                    row.text(field.name.as_bytes()).optional_int(unit.map(|unit| unit.unit_ns));
                    row.optional_text(unit.map(|unit| unit.source.name().as_bytes()));
                    row.int(i16::from(sampled));
                })?;
                idx = idx.saturating_add(1);
            }
        }
        Ok(())
    }
}

impl TypeFields {
    /// Finds fields that earlier events did not have, up to `max_count` of all.
    fn look(&mut self, event: &str, text: &str, max_count: usize) {
        let beside_ns = unit_beside(event, text);
        for pair in pairs(event, text) {
            let is_known = self.fields.iter().any(|field| *field.name == *pair.name);
            if is_known || self.fields.len() >= max_count || pair_number(&pair).is_none() {
                continue;
            }
            let stated = stated_duration(&pair, beside_ns);
            let unit = stated.map(|stated| Unit {
                unit_ns: stated.unit_ns,
                source: stated.source,
                is_named: stated.is_named,
            });
            self.fields.push(Field { name: pair.name.into(), unit });
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::import::testing::import_lines;
    use crate::store::tables::EVENT_FIELD;

    /// `<type>.<field>`, its unit and where that was found, and `sampled`.
    fn check(lines: &str, expected: Expect) {
        let (written, _) = import_lines(lines);
        let rows = written.rows(&EVENT_FIELD, |row| {
            row.skip("idx").unwrap();
            let (event_type, name) = (row.int::<i16>("type").unwrap(), row.text("name").unwrap().to_owned());
            let unit_ns: Option<i64> = row.optional_int("unit_ns").unwrap();
            let source = row.optional_text("unit_source").unwrap().unwrap_or("none");
            let sampled = if row.int::<i16>("is_sampled").unwrap() == 0 { "" } else { " sampled" };
            let unit = unit_ns.map_or_else(String::new, |unit_ns| format!(" {unit_ns} ns"));
            format!("{event_type}.{name}{unit} by {source}{sampled}\n")
        });
        expected.assert_eq(&rows.concat());
    }

    #[test]
    fn numbers_are_listed_and_names_are_not() {
        check(
            "
            sh-7 [0] 5.000100: sched_switch: prev_comm=1 prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=b next_pid=8 next_prio=89
            sh-7 [0] 5.000200: cpu_frequency: state=2400000 cpu_id=0
            sh-7 [0] 5.000300: timer_start: timer=000000002ac33b2e function=tick expires=4294 [timeout=250] bucket_expiry=4296 flags=0x10
            ",
            expect![[r#"
                0.prev_pid by none
                0.prev_prio by none
                0.next_pid by none
                0.next_prio by none
                1.state by none
                1.cpu_id by none
                2.expires by none
                2.timeout by none
                2.bucket_expiry by none
                2.flags by none
            "#]],
        );
    }

    #[test]
    fn units_are_guessed_where_the_text_gives_reason_to() {
        check(
            "
            sh-7 [6] 14372.743618: hrtimer_cb: hrtimer stat: now: 14372743560 [us] expect_expires: 14372733903 [us], delta: 9656
            sh-7 [0] 14372.743619: probe: late_ns=5 service=20us mtime=100us
            sh-7 [0] 14372.743719: probe: late_ns=5 service=10us mtime=200us
            ",
            expect![[r#"
                0.now by none
                0.expect_expires by none
                0.delta 1000 ns by event sampled
                1.late_ns 1 ns by name sampled
                1.service 1000 ns by value sampled
                1.mtime by none
            "#]],
        );
    }

    #[test]
    fn many_fields_are_bounded() {
        let fields: String = (0..200).map(|number| format!("f{number}={number} ")).collect();
        let (written, _) = import_lines(&format!("sh-7 [0] 5.000100: probe: {fields}"));
        assert_eq!(written.rows(&EVENT_FIELD, |_| ()).len(), super::MAX_FIELDS_OF_TYPE);
    }
}
