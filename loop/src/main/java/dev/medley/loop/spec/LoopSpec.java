package dev.medley.loop.spec;

import dev.medley.base.ConfigException;
import dev.medley.connect.Secret;
import dev.medley.loop.feature.FeatureTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds a loop as its file says it.
 *
 * @param name of the loop and of its model
 * @param definition the texts of its file and of its job's: the same means the same loop
 * @param memory where it keeps what it knows
 * @param every how often it runs while it stays; null for once
 * @param sources tables elsewhere
 * @param features definitions
 * @param rows what is learnt from
 * @param score whom answers are wanted for; null for nobody
 * @param destinations where answers go
 * @param job the job file that trains
 * @param checks what has to be so of sources and rows
 * @param drift how changes of the data are noticed
 * @param retrain when a new model is trained
 * @param promote when it takes the place of the old
 * @param keep how long the files of runs stay
 * @param continuous how a model goes on learning between runs; null for not at all
 */
public record LoopSpec(
        String name,
        String definition,
        Memory memory,
        @Nullable Duration every,
        List<SourceSpec> sources,
        List<FeatureTable> features,
        RowsSpec rows,
        @Nullable ScoreSpec score,
        List<DestinationSpec> destinations,
        Path job,
        List<AgreedCheck> checks,
        DriftSpec drift,
        RetrainSpec retrain,
        PromotionSpec promote,
        KeepSpec keep,
        @Nullable ContinuousSpec continuous) {
    public LoopSpec {
        sources = List.copyOf(sources);
        features = List.copyOf(features);
        checks = List.copyOf(checks);
        destinations = List.copyOf(destinations);
        if (score == null && !destinations.isEmpty()) {
            throw new ConfigException(
                    "destinations: %s is to have answers, and nothing says for whom: add score:"
                            .formatted(destinations.get(0).name()));
        }
        if (score != null && score.key().size() != 1 && !destinations.isEmpty()) {
            throw new ConfigException(
                    "score.key has %d columns, and destinations know a row by one: join them in score.sql"
                            .formatted(score.key().size()));
        }
        for (FeatureTable feature : features) {
            for (String key : feature.key()) {
                boolean isOfRows = rows.key().contains(key) || rows.at().equals(key);
                if (isOfRows && score != null && !score.key().contains(key)) {
                    throw new ConfigException(
                            "features.%s is joined by '%s', which is no key of score"
                                    .formatted(feature.name(), key));
                }
            }
        }
    }

    /**
     * Says where a loop keeps what it knows.
     *
     * @param folder snapshots, models and files of runs
     * @param url of the PostgreSQL with its history; null for a file in the folder
     * @param user of that database; null where the URL says who
     * @param password of that database; null where none is needed
     * @param registry the folder of versions
     * @param snapshots the object store in which rows land, {@code s3://BUCKET/FOLDER}; null for
     *     the folder alone
     */
    public record Memory(
            Path folder,
            @Nullable String url,
            @Nullable String user,
            @Nullable Secret password,
            Path registry,
            @Nullable String snapshots) {}
}
