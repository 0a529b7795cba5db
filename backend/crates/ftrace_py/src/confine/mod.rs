//! Walls around the process that reads uploaded files.
//!
//! Each is put up where the kernel offers it, and none relies on another: code that takes over the
//! parser has to get through all of them. docs/adr/0006 says why there are several.

mod landlock;
mod namespaces;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
mod system_calls;
/// The numbers of system calls differ elsewhere, and the list was not tried there.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod system_calls {
    pub fn close_all_but_a_few() -> Option<String> {
        None
    }
}

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;
use rustix::process::{
    DumpableBehavior, Pid, Signal, getppid, set_dumpable_behavior, set_parent_process_death_signal,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};

/// Adds the one function of this module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(confine, module)?)
}

#[pyfunction]
fn confine(parent_pid: i32) -> PyResult<Vec<String>> {
    let mut walls = Vec::new();
    walls.extend(namespaces::leave_the_system());
    // A namespace of its own gives the process every capability inside of it.
    set_capabilities(None, NO_CAPABILITIES).map_err(failed("capabilities"))?;
    // Only now, because a change of credentials may clear it.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(failed("death signal"))?;
    if getppid().map(Pid::as_raw_pid) != Some(parent_pid) {
        // It died before the kernel knew that it mattered.
        return Err(PyOSError::new_err("the parent is gone"));
    }
    // A limit of 0 on core files keeps none from a program that the kernel hands them to (core(5)).
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(failed("dumpable"))?;
    set_no_new_privs(true).map_err(failed("no_new_privs"))?;
    walls.extend(landlock::forbid_everything());
    // Last, since the others need system calls that this one closes.
    walls.extend(system_calls::close_all_but_a_few());
    Ok(walls)
}

const NO_CAPABILITIES: CapabilitySets = CapabilitySets {
    effective: CapabilitySet::empty(),
    permitted: CapabilitySet::empty(),
    inheritable: CapabilitySet::empty(),
};

fn failed(what: &'static str) -> impl Fn(rustix::io::Errno) -> PyErr {
    move |error| PyOSError::new_err((error.raw_os_error(), format!("{what}: {error}")))
}
