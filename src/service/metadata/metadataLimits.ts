// Sizes of what contracts point to: a longer one is ignored, as if it did not exist.

/** The length of a token URI; a `data:` URI holds the whole metadata document, in base64 or percent-encoded. */
export const MAX_URI_CHARACTERS = 512 * 1024;
/** The length of a metadata document, after `{id}` in it is replaced. */
export const MAX_METADATA_CHARACTERS = 256 * 1024;
/** Of a metadata document that is fetched: a longer one has more characters than allowed, since UTF-8 takes at least a byte for each. */
export const MAX_FETCHED_METADATA_BYTES = MAX_METADATA_CHARACTERS;
/** Of an image or video of which only the type is wanted: a larger file counts as available, of unknown type. */
export const MAX_MEDIA_BYTES = 4 * 1024 * 1024;
/** The size of an image that is shown as a preview. */
export const MAX_IMAGE_BYTES = 512 * 1024;
/** The length of all metadata documents of one page together; later ones are ignored. */
export const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;
