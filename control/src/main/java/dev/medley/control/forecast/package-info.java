/**
 * What a job would do under each strategy before it does it, and which one {@code strategy: auto}
 * takes: values in, figures and one sentence why out. Read {@link
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
