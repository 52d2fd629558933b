/**
 * Holds the resource MedleyJob as values: its specification, its status, and the definition by
 * which an API server refuses what is wrong.
 *
 * <p>May use: nothing of Medley. Never: clients.
 *
 * <p>Thread: values; any.
 */
@NullMarked
package dev.medley.kubernetes.resource;

import org.jspecify.annotations.NullMarked;
