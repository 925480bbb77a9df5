import type { OpenAddressBook } from './openAddressBook.ts';

/** The address book: one list over the personal storage and those of the workspace folders. */
export type AddressBook = Pick<OpenAddressBook, keyof OpenAddressBook>;
