//! What a comparison may cost.

/// Limits of work and memory. At a limit, the comparison continues with a simpler alignment and says so.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Cells of all tables together, for each node of the two trees.
    pub cells_per_node: u64,
    /// Cells of all tables together, however many nodes there are.
    pub most_cells: u64,
    /// Cells of one table, at a byte each.
    pub table_cells: usize,
    /// The least number of equal siblings that are folded into one row; 0: never.
    pub fold_from: usize,
}

impl Limits {
    /// A tree cannot be larger: costs count nodes of both sides in 21 bits.
    pub const MOST_NODES: usize = (1 << 20) - 1;
}

impl Default for Limits {
    fn default() -> Self {
        Self { cells_per_node: 1_000, most_cells: 1 << 27, table_cells: 1 << 25, fold_from: 4 }
    }
}
