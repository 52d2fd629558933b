/**
 * Keeps what a run did, and shows it: its entries, its folder, its report, its live figures.
 *
 * <p>May use: base, profile. Never: training, control, LibTorch.
 *
 * <p>Thread: see each package.
 */
@NullMarked
package dev.medley.record;

import org.jspecify.annotations.NullMarked;
