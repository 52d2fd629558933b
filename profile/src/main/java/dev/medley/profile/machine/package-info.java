/**
 * Measures how fast this machine is and what limits it: cores and quotas, memory and its bandwidth,
 * disk, GPUs. Every figure says how sure it is, and is kept as long as the machine is the same.
 *
 * <p>May use: base, OSHI, profile.system, the user's folder of caches. Never: LibTorch (kernels to
 * time are handed in), sockets.
 *
 * <p>Thread: a measurement runs on the calling thread and threads of its own that end with it;
 * results are values.
 */
@NullMarked
package dev.medley.profile.machine;

import org.jspecify.annotations.NullMarked;
