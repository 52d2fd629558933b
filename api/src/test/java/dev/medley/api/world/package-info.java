/**
 * Holds whole worlds in the test's JVM: commands, workers and agents on threads, over real sockets
 * and files. What only a process shows is tested in {@code cli.fault}.
 *
 * <p>May use: api and everything below it. Never: cli, processes.
 *
 * <p>Thread: each command, worker and agent has its own; a test's thread waits for what they say.
 */
package dev.medley.api.world;
