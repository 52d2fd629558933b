/**
 * The world outside the process on virtual time: a clock that jumps from event to event, a network
 * that delays and breaks, workers that die. One seed replays a whole cluster.
 *
 * <p>May use: base, net, control's policies. Never: real clocks, sockets, threads.
 */
package dev.medley.simulation;
