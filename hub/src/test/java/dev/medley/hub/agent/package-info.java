/** Tests of agents that stay with a hub. */
@NullMarked
package dev.medley.hub.agent;

import org.jspecify.annotations.NullMarked;
