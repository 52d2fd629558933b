/**
 * Reads what the operating system says of a machine: cgroups, memory, devices, power, processes
 * killed for memory.
 *
 * <p>May use: base. Never: OSHI, what a profile is made of.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.profile.system;

import org.jspecify.annotations.NullMarked;
