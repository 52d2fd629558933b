/** Tests of a hub's outside; {@link dev.medley.hub.MemoryHub} stands behind it. */
@NullMarked
package dev.medley.hub;

import org.jspecify.annotations.NullMarked;
