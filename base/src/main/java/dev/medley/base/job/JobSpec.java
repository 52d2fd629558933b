package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.medley.base.WorkerSettings;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.track.TrackSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A job, whole and resolved: work, and who does it.
 *
 * @param name of the run's folder
 * @param work what is done
 * @param cluster who computes
 * @param checkpoint when the state is saved
 * @param seed of everything that is drawn
 * @param track who else is told of the run; null for nobody
 */
public record JobSpec(
        String name,
        Work work,
        ClusterSpec cluster,
        CheckpointSpec checkpoint,
        long seed,
        @Nullable TrackSpec track) {
    public JobSpec {
        check(
                name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"),
                "name=%s: letters, digits, '.', '_' and '-', at most 64",
                name);
        work.requireFits(cluster);
    }

    /** A job of which nobody else is told. */
    public JobSpec(
            String name, Work work, ClusterSpec cluster, CheckpointSpec checkpoint, long seed) {
        this(name, work, cluster, checkpoint, seed, null);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static JobSpec of(WrittenJob written) {
        return written.job();
    }

    @JsonValue
    WrittenJob written() {
        return WrittenJob.of(this);
    }

    /**
     * The work of a job that trains by gradients.
     *
     * @throws IllegalStateException if it does something else
     */
    public Work.Gradient gradient() {
        if (work instanceof Work.Gradient gradient) {
            return gradient;
        }
        throw new IllegalStateException(
                "the work of job %s is %s, not %s"
                        .formatted(name, work.name(), Work.Gradient.NAME));
    }

    /** What there is to read; of a job that reads something. */
    public DataSpec data() {
        return work.data();
    }

    /** What learns; of a job that trains by gradients. */
    public ModelSpec model() {
        return gradient().model();
    }

    /** How it learns; of a job that trains by gradients. */
    public TrainSpec train() {
        return gradient().train();
    }

    /** When and with whom workers exchange; of a job that trains by gradients. */
    public StrategySpec strategy() {
        return gradient().strategy();
    }

    /** Samples between two exchanges, over all workers. */
    public int roundSamples() {
        return strategy().round().syncEvery() * train().batch();
    }

    /** Most samples that a worker computes before it exchanges, or moves by itself. */
    public int innerBatch() {
        if (!strategy().algorithm().hasRounds()) {
            return train().largestBatch();
        }
        int asked = strategy().round().innerBatch();
        return asked > 0 ? asked : Math.max(1, train().batch() / cluster.workers());
    }

    /**
     * Whether shares follow speed: where it is asked for, and on machines that join, which are
     * seldom alike as processes of one machine are.
     */
    public boolean isBalanced() {
        return GradientRules.isBalanced(strategy(), cluster);
    }

    /** The same job on another cluster. */
    public JobSpec with(ClusterSpec changed) {
        return new JobSpec(name, work, changed, checkpoint, seed, track);
    }

    /** The same job with another model. */
    public JobSpec with(ModelSpec changed) {
        return new JobSpec(name, gradient().with(changed), cluster, checkpoint, seed, track);
    }

    /** The same job with another strategy. */
    public JobSpec with(StrategySpec changed) {
        return new JobSpec(name, gradient().with(changed), cluster, checkpoint, seed, track);
    }

    /**
     * The same job on data of so many training samples: where a step takes all of them, its batch
     * is their number.
     */
    public JobSpec of(long samples) {
        FamilyRules.requireFits(model(), samples);
        if (!train().takesAllSamples()) {
            return this;
        }
        check(
                samples < TrainSpec.ALL,
                "a step takes all training samples here, below 2,147,483,647, but there are %d:"
                        + " take another model.family or train.optimizer, or fewer samples",
                samples);
        return with(train().withBatch((int) Math.max(1, samples)), checkpoint);
    }

    /** The same job as a worker at {@code place} sees it. */
    public JobSpec at(WorkerSettings place) {
        return withOwnFiles(place::path);
    }

    /** Files of the user's own that workers run: jars, folders of classes, a TorchScript file. */
    public List<String> ownFiles() {
        List<String> files = new ArrayList<>(cluster.classPath());
        if (script() != null) {
            files.add(script().file());
        }
        return files;
    }

    /** The same job where each of its own files lies elsewhere. */
    public JobSpec withOwnFiles(UnaryOperator<String> place) {
        ClusterSpec moved = cluster.withClassPath(cluster.classPath().stream().map(place).toList());
        ModelSpec.TorchScript script = script();
        Work same = script == null ? work : gradient().with(script.at(place.apply(script.file())));
        return new JobSpec(name, same, moved, checkpoint, seed, track);
    }

    private ModelSpec.@Nullable TorchScript script() {
        return work instanceof Work.Gradient gradient
                        && gradient.model() instanceof ModelSpec.TorchScript script
                ? script
                : null;
    }

    /** The same job, trained otherwise. */
    public JobSpec with(TrainSpec changed, CheckpointSpec saved) {
        return new JobSpec(name, gradient().with(changed), cluster, saved, seed, track);
    }

    /** The same job of which others are told; nobody where {@code told} is null. */
    public JobSpec tracked(@Nullable TrackSpec told) {
        return new JobSpec(name, work, cluster, checkpoint, seed, told);
    }
}
