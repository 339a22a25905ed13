/** Closes the menu that a control stands in. */
export const closePopover = (control: HTMLElement): void =>
  control.closest('details')?.removeAttribute('open');
