/**
 * Public data sets from their publishers: resumable, with size and checksum verified.
 *
 * <p>May use: base, the JDK's HTTP client. Never: jobs, models.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.cli.download;

import org.jspecify.annotations.NullMarked;
