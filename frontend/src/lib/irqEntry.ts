// How interrupts come into the kernel on x86, arm64, arm and riscv, and the softirqs that follow them, Linux 4.19 to 6.12.
const IRQ_ENTRY =
  /^(?:(?:__)?(?:asm_)?sysvec_|smp_\w+_interrupt$|(?:asm_)?common_interrupt|do_IRQ$|gic_handle_irq|el[01]\w*_(?:irq|interrupt)|__irq_svc|__irq_usr|generic_handle_arch_irq|handle_arch_irq|do_irq$|riscv_intc_irq|irq_enter|irq_exit|__irq_exit_rcu|__do_softirq|do_softirq|handle_softirqs|exc_nmi|asm_exc_nmi)/;

/** Whether a function of this name is where an interrupt or softirq begins. */
export function isIrqEntry(symbol: string): boolean {
  return IRQ_ENTRY.test(symbol);
}
