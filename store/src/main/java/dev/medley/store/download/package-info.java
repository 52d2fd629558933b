/**
 * Known public data sets, fetched from their publishers: resumed where they broke off, and kept
 * only when every byte is right.
 *
 * <p>May use: base, store.file, the JDK's HTTP client. Never: the data path, the data set packages.
 *
 * <p>Thread: calls work and report progress on the caller's thread; the HTTP client's threads write
 * into the part file alone.
 */
@NullMarked
package dev.medley.store.download;

import org.jspecify.annotations.NullMarked;
