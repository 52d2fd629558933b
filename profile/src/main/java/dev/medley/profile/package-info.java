/**
 * How numbers are said to people: units and plain-text tables. The packages below measure ({@code
 * machine}, {@code span}), remember ({@code record}) and show ({@code report}, {@code metrics}).
 *
 * <p>May use: base, OSHI (in {@code machine} alone). Never: tensor, store, net, exchange.
 *
 * <p>Thread: values and pure functions.
 */
@NullMarked
package dev.medley.profile;

import org.jspecify.annotations.NullMarked;
