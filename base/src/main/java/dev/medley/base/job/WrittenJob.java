package dev.medley.base.job;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.track.TrackSpec;
import org.jspecify.annotations.Nullable;

/**
 * A job as JSON has it: the keys of its work beside the others, as in a job file. Which work it is
 * follows from the keys.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({
    @JsonSubTypes.Type(WrittenJob.Training.class),
    @JsonSubTypes.Type(WrittenJob.Surveying.class),
    @JsonSubTypes.Type(WrittenJob.Predicting.class)
})
sealed interface WrittenJob {
    /** The job that is written so. */
    JobSpec job();

    /** As it is written. */
    static WrittenJob of(JobSpec job) {
        if (job.work() instanceof Work.Survey survey) {
            return new Surveying(
                    job.name(), survey.look(), job.cluster(), job.checkpoint(), job.seed());
        }
        if (job.work() instanceof Work.Prediction prediction) {
            return new Predicting(
                    job.name(),
                    prediction.data(),
                    prediction.trained(),
                    job.cluster(),
                    job.checkpoint(),
                    job.seed());
        }
        Work.Gradient work = job.gradient();
        return new Training(
                job.name(),
                work.data(),
                work.model(),
                work.train(),
                job.cluster(),
                work.strategy(),
                job.checkpoint(),
                job.seed(),
                job.track());
    }

    /** A job that trains by gradients. */
    record Training(
            String name,
            DataSpec data,
            ModelSpec model,
            TrainSpec train,
            ClusterSpec cluster,
            StrategySpec strategy,
            CheckpointSpec checkpoint,
            long seed,
            @Nullable TrackSpec track)
            implements WrittenJob {
        @Override
        public JobSpec job() {
            Work work = new Work.Gradient(data, model, train, strategy);
            return new JobSpec(name, work, cluster, checkpoint, seed, track);
        }
    }

    /** A job that surveys its cluster. */
    record Surveying(
            String name,
            Work.Survey.Look look,
            ClusterSpec cluster,
            CheckpointSpec checkpoint,
            long seed)
            implements WrittenJob {
        @Override
        public JobSpec job() {
            return new JobSpec(name, new Work.Survey(look), cluster, checkpoint, seed);
        }
    }

    /** A job that predicts. */
    record Predicting(
            String name,
            DataSpec data,
            String trained,
            ClusterSpec cluster,
            CheckpointSpec checkpoint,
            long seed)
            implements WrittenJob {
        @Override
        public JobSpec job() {
            Work work = new Work.Prediction(data, trained);
            return new JobSpec(name, work, cluster, checkpoint, seed);
        }
    }
}
