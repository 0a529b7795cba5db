//! Which functions are the entry of a hard interrupt.

/// True for the function through which a hard interrupt enters the traceable kernel.
///
/// Current x86-64 prints no `==========>` marker because the entry code itself cannot be traced.
/// Source: arch/x86/kernel/apic, arch/x86/include/asm/idtentry.h, drivers/irqchip, Linux 4.x to 7.3.
pub fn is_entry(symbol: &[u8]) -> bool {
    symbol.starts_with(b"__sysvec_")
        || symbol.starts_with(b"sysvec_")
        || symbol.starts_with(b"smp_") && symbol.ends_with(b"_interrupt")
        || matches!(
            symbol,
            b"__common_interrupt"
                | b"common_interrupt"
                | b"do_IRQ"
                | b"__do_IRQ"
                | b"gic_handle_irq"
                | b"handle_IRQ"
                | b"el1_irq"
                | b"el1_interrupt"
                | b"el0_irq"
                | b"asm_do_IRQ"
                | b"do_riscv_irq"
                | b"timer_interrupt"
        )
}
