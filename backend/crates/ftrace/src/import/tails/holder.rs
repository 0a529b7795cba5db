//! Who or what can have a CPU, by small numbers.

use hashbrown::HashMap;

use super::timeline::Occupant;
use crate::analyses::Cause;
use crate::import::tasks::Tasks;

/// Who had a CPU over a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Holder {
    pub cause: Cause,
    pub symbol: Option<u32>,
    pub task: Option<u32>,
    /// The priority that the task was switched to with.
    pub prio: Option<i16>,
}

/// What shares are added up by: threads of one name together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// Any task with the same name as this one.
    Task(u32),
    Symbol(u32),
    None,
}

/// A holder with what it is added up under.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    pub holder: Holder,
    pub name: Name,
}

/// The largest number of holders that are kept apart. A task counts once for each priority that it runs with.
const MAX_HOLDERS: usize = 1 << 17;

/// Holders by number.
#[derive(Default)]
pub struct Holders {
    by_holder: HashMap<Holder, u32>,
    named: Vec<Named>,
    /// The first task of each name.
    by_comm: HashMap<Box<[u8]>, u32>,
}

impl Holders {
    /// The number of a holder, or that of all others where there are too many.
    pub fn number(&mut self, holder: Holder, tasks: &Tasks) -> Occupant {
        if let Some(known) = self.by_holder.get(&holder) {
            return Occupant::Holder(*known);
        }
        if self.named.len() >= MAX_HOLDERS {
            return Occupant::Others;
        }
        let name = match (holder.cause, holder.task, holder.symbol) {
            (Cause::Task, Some(task), _) => Name::Task(self.first_of_name(task, tasks)),
            (_, _, Some(symbol)) => Name::Symbol(symbol),
            _ => Name::None,
        };
        let Ok(number) = u32::try_from(self.named.len()) else { return Occupant::Others };
        self.named.push(Named { holder, name });
        self.by_holder.insert(holder, number);
        Occupant::Holder(number)
    }

    /// `None` for all those who are not kept apart.
    pub fn get(&self, occupant: Occupant) -> Option<Named> {
        match occupant {
            Occupant::Holder(number) => {
                usize::try_from(number).ok().and_then(|number| self.named.get(number)).copied()
            }
            Occupant::Others => None,
            Occupant::Unknown => {
                let holder = Holder { cause: Cause::Unknown, symbol: None, task: None, prio: None };
                Some(Named { holder, name: Name::None })
            }
        }
    }

    /// A task that has no name yet is its own.
    fn first_of_name(&mut self, task: u32, tasks: &Tasks) -> u32 {
        match tasks.comm(task) {
            Some(comm) if !comm.is_empty() => *self.by_comm.entry_ref(comm).or_insert(task),
            _ => task,
        }
    }
}
