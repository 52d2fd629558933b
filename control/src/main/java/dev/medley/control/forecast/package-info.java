/**
 * Forecasts a job under each strategy, and chooses the one that {@code strategy: auto} takes.
 * Values go in, figures and one sentence with the reason come out. Read {@link
 * dev.medley.control.forecast.Forecaster} first; {@code docs/planning.md} explains an example.
 *
 * <p>May use: base, profile's records of machines and speeds, the planner. Never: clocks, sockets.
 *
 * <p>Thread: pure values; {@link dev.medley.control.forecast.AutoPlan} belongs to the coordinator's
 * agent.
 */
@NullMarked
package dev.medley.control.forecast;

import org.jspecify.annotations.NullMarked;
