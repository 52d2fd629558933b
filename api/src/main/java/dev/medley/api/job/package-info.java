/**
 * Reads and writes job files and cluster files: YAML to {@link dev.medley.base.job.JobSpec} and
 * back, and to the clusters of the simulator. One JSON Schema says which keys are allowed; errors
 * point at file, line and column and say what was expected.
 *
 * <p>A file passes these stages: {@code YamlTree} (text to a tree with places), {@code Overrides}
 * ({@code -s key=value}), {@code JobSchema} (keys, types, ranges), {@code Shorthand} (short forms
 * to mappings), the sections (tree to records, with {@code FamilyDefaults}), {@code Relations}
 * (keys that contradict each other).
 *
 * <p>May use: base, the YAML reader, the schema validator, the values of profile.cluster and
 * plan.simulator. Never: the rest of control, training, tensor, store.
 *
 * <p>Thread: no shared state; calls are independent of each other.
 */
@NullMarked
package dev.medley.api.job;

import org.jspecify.annotations.NullMarked;
