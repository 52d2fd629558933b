/**
 * Forecasts a job under each strategy, and chooses the one that {@code strategy: auto} takes.
 * Values go in, figures and one sentence with the reason come out. Read {@link
 * dev.medley.plan.forecast.Forecaster} first; {@code docs/planning.md} explains an example.
 *
 * <p>May use: base, profile's records of machines and speeds, plan's policies, sources, codecs and
 * efficiencies. Never: clocks, sockets.
 *
 * <p>Thread: pure values; {@link dev.medley.plan.forecast.AutoPlan} belongs to the coordinator's
 * agent.
 */
@NullMarked
package dev.medley.plan.forecast;

import org.jspecify.annotations.NullMarked;
