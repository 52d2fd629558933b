package dev.medley.api.simulate;

import dev.medley.api.job.ClusterFile;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.plan.simulator.Calibration;
import dev.medley.profile.speed.StepTime;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A well-known model with published speeds, for those who want to know before they have a job. Its
 * resource names the source of every figure.
 *
 * @param name for the command line
 * @param title model, data and length of training
 * @param sample what is counted as one
 * @param machine what is counted as one
 * @param slotElements numbers of each parameter, in layer order
 * @param statisticElements running statistics
 * @param samples of a training
 * @param batchPerMachine samples of a machine in a batch
 * @param speeds of machines by type
 * @param sources of all of it
 */
public record ModelProfile(
        String name,
        String title,
        String sample,
        String machine,
        List<Long> slotElements,
        long statisticElements,
        long samples,
        int batchPerMachine,
        List<Speed> speeds,
        List<Source> sources) {
    /** The profiles that come with Medley. */
    public static final List<String> NAMES =
            List.of("resnet50-imagenet", "transformer-xl-wikitext103");

    /** Published speeds of one type of machine; of several batches where they are known. */
    public record Speed(String type, String precision, List<Point> points) {}

    /** A speed that was measured with some samples a step. */
    public record Point(int batch, double samplesPerSecond) {}

    /** Where a figure was published. */
    public record Source(String figure, String url, String where, String note) {}

    public ModelProfile {
        slotElements = List.copyOf(slotElements);
        speeds = List.copyOf(speeds);
        sources = List.copyOf(sources);
    }

    /** The profile of that name; another name is refused with the names there are. */
    public static ModelProfile of(String name) {
        if (!NAMES.contains(name)) {
            throw new ConfigException(
                    "--model %s: there is no such profile; %sthere are %s"
                            .formatted(
                                    name,
                                    ClusterFile.meant(name, NAMES),
                                    String.join(" and ", NAMES)));
        }
        try (InputStream in = ModelProfile.class.getResourceAsStream(name + ".json")) {
            if (in == null) {
                throw new IllegalStateException(name + ".json is missing from the jar");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Json.parse(text, ModelProfile.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Time of a share by type of machine. */
    public Map<String, StepTime> times() {
        Map<String, StepTime> times = new TreeMap<>();
        for (Speed speed : speeds) {
            times.put(
                    speed.type(),
                    Calibration.stepTime(
                            speed.points().stream()
                                    .map(
                                            p ->
                                                    new Calibration.Compute(
                                                            p.batch(),
                                                            p.batch() / p.samplesPerSecond() * 1e9))
                                    .toList()));
        }
        return times;
    }
}
