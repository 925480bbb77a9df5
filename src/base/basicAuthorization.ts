// User name and password of a URL as the value of an `Authorization` header (RFC 7617).
import { textToBase64 } from './base64.ts';

/** A text with an invalid escape is used as it is. */
export function decodeUrlText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `null` when the URL has neither user name nor password. */
export function getBasicAuthorization({ username, password }: Pick<URL, 'username' | 'password'>): string | null {
  if (username === '' && password === '') return null;
  return `Basic ${textToBase64(`${decodeUrlText(username)}:${decodeUrlText(password)}`)}`;
}
