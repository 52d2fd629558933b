/**
 * Learns which exponents of the index suit the state of a queue and its fleet: a double DQN, its
 * tabular sister, and the policy that uses what they learnt.
 *
 * <p>May use: base, store's files, tensor, the policies and the simulator. Never: clocks, threads;
 * randomness only from seeds.
 *
 * <p>Thread: a training belongs to one thread; a learned policy is a value.
 */
@NullMarked
package dev.medley.fleet.learning;

import org.jspecify.annotations.NullMarked;
