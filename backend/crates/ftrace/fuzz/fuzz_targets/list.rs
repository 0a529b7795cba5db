//! Prints the name of every target, one a line.

fn main() {
    for target in ftrace_fuzz::targets() {
        println!("{}", target.name);
    }
}
