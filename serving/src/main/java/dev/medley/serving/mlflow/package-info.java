/**
 * Tells of runs and registered models in the words of MLflow's REST API, for its clients to read.
 *
 * <p>May use: base, record, serving.registry, Armeria. Never: changes of anything.
 *
 * <p>Thread: Armeria's blocking ones, several at once.
 */
@NullMarked
package dev.medley.serving.mlflow;

import org.jspecify.annotations.NullMarked;
