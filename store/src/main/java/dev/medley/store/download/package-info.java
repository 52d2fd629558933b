/**
 * Fetches known public data sets from their publishers. Transfers resume where they broke off, and
 * a file is kept only when every byte is right.
 *
 * <p>May use: base, store.file, the JDK's HTTP client. Never: the data path, the data set packages.
 *
 * <p>Thread: calls work and report progress on the caller's thread; the HTTP client's threads write
 * only into the part file.
 */
@NullMarked
package dev.medley.store.download;

import org.jspecify.annotations.NullMarked;
