//! An extra call, planted at random into a run of a made-up program, leads the list of calls of one side.

use super::testing::verify;
use super::*;

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    /// What a call takes by itself: as in a kernel with its tracer on, give or take 8 %.
    fn self_ns(&mut self, function: usize) -> i64 {
        let mean_ns = 300 + i64::try_from(function * 37 % 500).unwrap();
        mean_ns + mean_ns * (i64::try_from(self.below(161)).unwrap() - 80) / 1_000
    }
}

const FUNCTIONS: usize = 40;

#[derive(Clone)]
struct Call {
    function: usize,
    self_ns: i64,
    callees: Vec<Call>,
}

impl Call {
    fn duration_ns(&self) -> i64 {
        self.self_ns + self.callees.iter().map(Call::duration_ns).sum::<i64>()
    }

    fn len(&self) -> usize {
        1 + self.callees.iter().map(Call::len).sum::<usize>()
    }

    fn build(&self, start_ns: i64, tree: &mut TreeBuilder<'_>) {
        tree.open(&format!("function_{}", self.function), Kind::Call, start_ns, self.duration_ns()).unwrap();
        let mut start_ns = start_ns + self.self_ns;
        for callee in &self.callees {
            callee.build(start_ns, tree);
            start_ns += callee.duration_ns();
        }
        tree.close().unwrap();
    }

    /// Inserts a call before the callee of that number, counted over the whole tree; returns the callers' names.
    fn plant(&mut self, at: &mut usize, planted: &Call) -> Option<Vec<usize>> {
        for place in 0..=self.callees.len() {
            if *at == 0 {
                self.callees.insert(place, planted.clone());
                return Some(vec![self.function]);
            }
            *at -= 1;
            if let Some(mut callers) =
                self.callees.get_mut(place).and_then(|callee| callee.plant(at, planted))
            {
                callers.insert(0, self.function);
                return Some(callers);
            }
        }
        None
    }
}

/// Every function calls the same functions, with larger numbers than its own; some of them in a loop, the length of which may differ.
fn run(program: &[Vec<(usize, usize)>], function: usize, random: &mut Random) -> Call {
    let mut callees = Vec::new();
    for (callee, times) in &program[function] {
        for _ in 0..*times {
            callees.push(run(program, *callee, random));
        }
    }
    Call { function, self_ns: random.self_ns(function), callees }
}

fn program(random: &mut Random) -> Vec<Vec<(usize, usize)>> {
    let callees = |function: usize, random: &mut Random| {
        let count = if function + 3 >= FUNCTIONS { 0 } else { random.below(5) };
        let callee = |random: &mut Random| {
            let far = (FUNCTIONS - function - 1).min(12);
            (function + 1 + random.below(far), if random.below(6) == 0 { 2 + random.below(3) } else { 1 })
        };
        (0..count.max(usize::from(function == 0) * 4)).map(|_| callee(random)).collect()
    };
    (0..FUNCTIONS).map(|function| callees(function, random)).collect()
}

/// What became of the planted calls.
#[derive(Debug, Default)]
struct Score {
    /// It is the first of the calls that only one side makes, by its name and callers, and the only one.
    first_of_extra: usize,
    /// It is the largest of all contributions, too: larger than what anything else varies by.
    first_of_all: usize,
    calls: usize,
}

fn plant(rounds: u64, most_calls: usize) -> Score {
    let mut sum = Score::default();
    for seed in 0..rounds {
        let random = &mut Random(seed * 7_919 + 1);
        let (normal, mut abnormal, planted) = loop {
            let program = program(random);
            let normal = run(&program, 0, random);
            if (30..most_calls).contains(&normal.len()) {
                let function = 1 + random.below(FUNCTIONS - 1);
                break (normal, run(&program, 0, random), run(&program, function, random));
            }
        };
        sum.calls += normal.len();
        let callers = abnormal.plant(&mut random.below(abnormal.len() * 2 - 1), &planted).unwrap();
        let mut names = Names::default();
        let build = |names: &mut Names, call: &Call| {
            let mut tree = TreeBuilder::new(names, 100_000);
            call.build(0, &mut tree);
            tree.finish().unwrap()
        };
        let trees = Sides { abnormal, normal }.map(|call| build(&mut names, &call));
        let diff = diff(&names, trees.as_ref(), &Limits::default());
        verify(&diff);
        let mut all: Vec<&Contribution> = diff.contributions.all().collect();
        all.sort_by_key(|one| std::cmp::Reverse(one.delta_ns.unsigned_abs()));
        let named = |functions: &[usize], found: &[NameId]| {
            let functions = functions.iter().map(|function| format!("function_{function}"));
            functions.eq(found.iter().map(|name| names.text(*name)))
        };
        let is_it = |one: Option<&Contribution>| {
            one.is_some_and(|one| {
                let is_there = named(&[planted.function], &one.names) && named(&callers, &one.path);
                is_there && one.status == Status::Added && one.count == 1
            })
        };
        let only_one_side = &diff.contributions.only_one_side;
        sum.first_of_extra += usize::from(only_one_side.len() == 1 && is_it(only_one_side.first()));
        sum.first_of_all += usize::from(is_it(all.first().copied()));
    }
    sum
}

#[test]
fn an_extra_call_leads_the_list_wherever_it_is() {
    let found = plant(1_000, 300);
    assert!(found.first_of_extra == 1_000 && found.first_of_all >= 990, "{found:?}");
    // A single short call may take less than what a thousand others vary by.
    let found = plant(200, 3_000);
    assert!(found.first_of_extra == 200 && found.first_of_all >= 180, "{found:?}");
}
