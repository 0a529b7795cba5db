//! Landlock: an ordinary process gives up rights that the kernel then keeps from it.

use ::landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset, RulesetAttr,
    RulesetError, RulesetStatus, Scope,
};

/// The newest interface that the library knows; what an older kernel lacks is left out.
const NEWEST: ABI = ABI::V10;

/// Takes away every right to files, TCP, abstract sockets and signals. Returns the name of the wall.
///
/// Descriptors that are open already stay usable.
pub fn forbid_everything() -> Option<String> {
    match restrict() {
        Ok(Some(abi)) => Some(format!("Landlock ABI {abi}")),
        Ok(None) | Err(_) => None,
    }
}

fn restrict() -> Result<Option<i32>, RulesetError> {
    // No rule: a right that is handled and that no rule gives is refused.
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .restrict_self()?;
    Ok(match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => None,
        (_, LandlockStatus::Available { effective_abi, .. }) => Some(effective_abi as i32),
        (_, LandlockStatus::NotEnabled | LandlockStatus::NotImplemented) => None,
    })
}
