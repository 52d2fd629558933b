/**
 * Serves each caller its own rows and columns of the shared tables, as files of an object store.
 *
 * <p>May use: read, query, policy, quota, audit, serving.http, store, base. Never: what callers say
 * of themselves but for their signature.
 *
 * <p>Thread: signatures are checked on the event loop; work is done in turns of callers.
 */
@NullMarked
package dev.medley.tenant.door;

import org.jspecify.annotations.NullMarked;
