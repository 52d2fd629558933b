/**
 * Says which objects a MedleyJob wants in its namespace. Pure: values in, objects out; nothing here
 * talks to a cluster.
 *
 * <p>May use: the resource, net for names of files. Never: clients, clocks.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.kubernetes.desired;

import org.jspecify.annotations.NullMarked;
