/**
 * Serves the files of a run on the coordinator's side: gives workers on other machines what they
 * need, and keeps what they make.
 *
 * <p>May use: base, net, store. Never: what the files hold.
 *
 * <p>Thread: requests are served on the reading thread of the connection that they came on.
 */
@NullMarked
package dev.medley.control.files;

import org.jspecify.annotations.NullMarked;
