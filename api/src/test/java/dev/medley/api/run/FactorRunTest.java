package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.Dataset;
import dev.medley.api.TrainedModel;
import dev.medley.api.job.JobFile;
import dev.medley.api.predict.PredictOptions;
import dev.medley.api.predict.Predictor;
import dev.medley.api.predict.Recommendations;
import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.JobSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Factorises ratings, and recommends by what came of it. */
@Tag("real")
class FactorRunTest {
    private static final int USERS = 80;
    private static final int ITEMS = 50;

    @TempDir Path folder;

    private final Set<String> trained = new HashSet<>();

    /** Users like items of their own kind, of three. */
    @BeforeEach
    void table() throws IOException {
        RandomGenerator random = Seeds.generator(3);
        String head = "who,what,stars,plays\n";
        StringBuilder text = new StringBuilder(head);
        StringBuilder held = new StringBuilder(head);
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < 5000; i++) {
            int user = random.nextInt(USERS);
            int item = random.nextInt(ITEMS);
            boolean isLiked = user % 3 == item % 3;
            if (taken.add(user + "," + item) && (isLiked || random.nextInt(4) == 0)) {
                double stars = (isLiked ? 4.5 : 2) + random.nextInt(2) * 0.5;
                boolean isHeld = random.nextInt(8) == 0;
                (isHeld ? held : text)
                        .append("%d,item %d,%s,%d\n".formatted(user, item, stars, isLiked ? 3 : 1));
                if (!isHeld) {
                    trained.add(user + ",item " + item);
                }
            }
        }
        Files.writeString(folder.resolve("held.csv"), held);
        Files.writeString(folder.resolve("ratings.csv"), text);
    }

    private JobSpec job(String label, String model, int workers, String train) {
        String yaml =
                """
                data: {train: ratings.csv, validation: held.csv, label: %s}
                model: {family: factorization, user: who, item: what, rank: 4%s}
                train: {%s}
                cluster: {workers: %d, threads: 1}
                """
                        .formatted(label, model, train, workers);
        return JobFile.parse("job.yaml", yaml, folder, List.of()).spec();
    }

    private RunResult train(JobSpec job) {
        RunResult result = JobRun.train(job, Runs.in(folder.resolve("runs")), RunProgress.NONE);
        assertThat(result.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        return result;
    }

    private static Map<String, Double> metrics(RunResult result) {
        try (TrainedModel model = TrainedModel.load(result.folder().model(), 1)) {
            return model.description().metrics();
        }
    }

    @Test
    void leastSquaresShouldComeToTheSameBitsOnAnyWorkers() {
        String als = ", solver: als, iterations: 3";
        RunResult alone = train(job("stars", als, 1, ""));
        RunResult three = train(job("stars", als, 3, ""));
        assertThat(three.outcome().parameterHash()).isEqualTo(alone.outcome().parameterHash());
        assertThat(metrics(alone).get("rmse")).isLessThan(0.6);
    }

    @ParameterizedTest
    @CsvSource({"stars,''", "plays,', feedback: implicit'"})
    void tablesThatAreDealtOutShouldComeToTheBitsOfWholeOnes(String label, String feedback) {
        String als = feedback + ", solver: als, iterations: 2, tables: ";
        RunResult whole = train(job(label, als + "whole", 1, ""));
        RunResult dealt = train(job(label, als + "dealt", 3, ""));
        assertThat(dealt.outcome().parameterHash()).isEqualTo(whole.outcome().parameterHash());
        assertThat(metrics(dealt)).isEqualTo(metrics(whole));
    }

    @Test
    void touchedRowsAndAllOfThemShouldLearnTheSame() {
        String train = "epochs: 3, batch: 128, optimizer: {kind: adagrad, learning_rate: 0.2}";
        RunResult touched = train(job("stars", "", 2, train));
        RunResult all = train(job("stars", ", rows: all", 2, train));
        double rmse = metrics(touched).get("rmse");
        assertThat(rmse).isLessThan(1.2).isCloseTo(metrics(all).get("rmse"), within(1e-3));
    }

    @Test
    void shouldRecommendWhatAUserLikesAndHasNot() throws IOException {
        RunResult result = train(job("plays", ", feedback: implicit, solver: als", 2, ""));
        assertThat(metrics(result).get("recall@10")).isGreaterThan(0.3);
        Path users = folder.resolve("users.csv");
        Files.writeString(users, "who\n4\n11\nnobody\n");
        Path out = folder.resolve("out.csv");
        try (TrainedModel model = TrainedModel.load(result.folder().model(), 1)) {
            Recommendations.Written written =
                    new Recommendations(model, 5)
                            .write(Predictor.like(model, users), out, PreparationProgress.NONE);
            assertThat(written).isEqualTo(new Recommendations.Written(3, 1, 5));
            Path all = folder.resolve("all.csv");
            int items =
                    new Recommendations(model, Integer.MAX_VALUE)
                            .write(Predictor.like(model, users), all, PreparationProgress.NONE)
                            .items();
            assertThat(Files.readAllLines(all).get(0))
                    .endsWith("item_%1$d,score_%1$d".formatted(items));
            Path held = folder.resolve("held.csv");
            assertThat(model.evaluate(Dataset.of(Predictor.like(model, held))))
                    .containsKeys("ndcg@10", "recall@10");
        }
        List<String> rows = Files.readAllLines(out);
        assertThat(rows.get(0)).startsWith("who,item_1,score_1,item_2");
        for (String row : rows.subList(1, 3)) {
            String[] cells = row.split(",");
            for (int i = 1; i < cells.length; i += 2) {
                assertThat(trained).doesNotContain(cells[0] + "," + cells[i]);
            }
        }
        assertThat(rows.get(3)).startsWith("nobody,item ");
    }

    private Path ratings() {
        return folder.resolve("ratings.csv");
    }

    @Test
    void negativesShouldBeLearntFromWithGradientsToo() throws IOException {
        RunResult result = train(job("plays", ", feedback: implicit", 2, "epochs: 40, batch: 128"));
        assertThat(metrics(result).get("recall@10")).isGreaterThan(0.3);
        Path pairs = folder.resolve("pairs.csv");
        Files.writeString(pairs, "who,what\n1,item 1\n1,item 2\n");
        try (TrainedModel model = TrainedModel.load(result.folder().model(), 1)) {
            List<Double> scores = new ArrayList<>();
            new Predictor(model, PredictOptions.ofWorkers(1))
                    .predict(
                            Predictor.like(model, pairs),
                            PreparationProgress.NONE,
                            p -> scores.add(p.scores().get(0)));
            assertThat(scores.get(0)).isGreaterThan(scores.get(1));
        }
    }

    @Test
    void badInputShouldBeNamedBeforeAnythingStarts() throws IOException {
        assertThatThrownBy(() -> job("stars", ", rank: 0", 1, ""))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> job("who", "", 1, ""))
                .hasMessageContaining("model.user or model.item is that column, too");
        assertThatThrownBy(() -> job("stars", ", rows: all, solver: als", 1, ""))
                .hasMessageContaining("model.rows=all has no meaning for model.solver=als");
        assertThatThrownBy(() -> job("stars", ", tables: dealt", 1, ""))
                .hasMessageContaining("model.tables=dealt goes with model.solver=als alone");
        assertThatThrownBy(() -> job("stars", ", solver: als", 1, "batch: 3"))
                .hasMessageContaining("train.batch has no meaning for solver als");
        JobSpec absent =
                JobFile.parse(
                                "job.yaml",
                                "data: {train: ratings.csv, label: stars}\n"
                                        + "model: {family: factorization, user: whom, item: what}",
                                folder,
                                List.of())
                        .spec();
        assertThatThrownBy(() -> train(absent))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no such column; did you mean 'who'?");
        Files.writeString(ratings(), "who,what,stars\n1,2,3\n1,3,good\n2,3,4\n");
        assertThatThrownBy(() -> train(job("stars", "", 1, "")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 3")
                .hasMessageContaining("good");
    }
}
