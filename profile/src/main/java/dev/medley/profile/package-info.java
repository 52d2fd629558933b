/**
 * Writes numbers for people: units and plain-text tables. The packages below measure ({@code
 * machine}, {@code speed}), describe ({@code cluster}), remember ({@code record}) and show ({@code
 * report}, {@code metrics}).
 *
 * <p>May use: base, OSHI (only in {@code machine}). Never: tensor, store, net, exchange.
 *
 * <p>Thread: values and pure functions.
 */
@NullMarked
package dev.medley.profile;

import org.jspecify.annotations.NullMarked;
