package dev.medley.fleet.catalog;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.fleet.learning.Knob;
import dev.medley.fleet.learning.LearnedExponents;
import dev.medley.fleet.learning.LearnedPolicy;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.index.IndexOptions;
import dev.medley.fleet.policy.index.IndexPolicy;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes policies that were learnt, from files. */
public final class LearnedPolicies {
    /** What learning chooses between. */
    public static final List<Knob> KNOBS = knobs();

    private LearnedPolicies() {}

    private static List<Knob> knobs() {
        List<Knob> knobs = new ArrayList<>();
        for (double beta : new double[] {0, 0.03, 0.06, 0.1, 0.15, 0.25}) {
            knobs.add(new Knob(1, beta, 0));
            knobs.add(new Knob(1, beta, 0.05));
        }
        return List.copyOf(knobs);
    }

    /** The index of a knob. */
    public static Policy index(Knob knob) {
        return new IndexPolicy("index", new IndexOptions(knob.alpha(), knob.beta(), knob.stay()));
    }

    /**
     * The policy that a training wrote into a file.
     *
     * @throws ConfigException if the file cannot be used
     */
    public static Policy read(Path file) {
        try {
            LearnedExponents learned = Json.read(file, LearnedExponents.class);
            return new LearnedPolicy(learned, LearnedPolicies::index);
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    "%s: there is no such file; medley fleet train writes one".formatted(file), e);
        } catch (IOException | RuntimeException e) {
            throw new ConfigException(
                    "%s: cannot be read as what medley fleet train wrote (%s)"
                            .formatted(file, e.getMessage()),
                    e);
        }
    }
}
