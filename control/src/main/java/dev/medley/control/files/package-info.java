/**
 * The files of a run on the coordinator's side: what workers on other machines need is given, what
 * they make is kept.
 *
 * <p>May use: base, net, store. Never: what the files hold.
 *
 * <p>Thread: requests are served on the reading thread of the connection that they came on.
 */
@NullMarked
package dev.medley.control.files;

import org.jspecify.annotations.NullMarked;
