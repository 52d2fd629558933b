package dev.medley.fleet.catalog;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.fleet.learning.LearnedPolicy;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.elastic.ElasticOptions;
import dev.medley.fleet.policy.elastic.ElasticPolicy;
import dev.medley.fleet.policy.fill.FilledPolicy;
import dev.medley.fleet.policy.index.IndexOptions;
import dev.medley.fleet.policy.index.IndexPolicy;
import dev.medley.fleet.policy.quota.MoveForGain;
import dev.medley.fleet.policy.share.SharePolicies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Holds all policies by the words by which users choose them. */
public final class Policies {
    /** The word of what decides where nothing is said. */
    public static final String DEFAULT = "index";

    private static final String LEARNED = LearnedPolicy.NAME + ":";

    private Policies() {}

    /**
     * All that need nothing trained.
     *
     * @param resetS seconds between two computations of shares at least, for those by shares
     */
    public static List<Policy> all(double resetS) {
        List<Policy> all = new ArrayList<>(SharePolicies.all(resetS));
        all.add(new IndexPolicy("srpt", new IndexOptions(1, 1, 0)));
        all.add(new IndexPolicy(DEFAULT, IndexOptions.DEFAULTS));
        all.add(new ElasticPolicy(ElasticOptions.DEFAULTS));
        return all;
    }

    /**
     * A policy as a hub wraps it: idle machines are dealt, and no job moves for less than it costs.
     */
    public static Policy inHub(Policy policy) {
        return new MoveForGain(new FilledPolicy(policy));
    }

    /**
     * The policy of a word, as it decides in a hub: at each change.
     *
     * @throws ConfigException naming all words, if there is none
     */
    public static Policy named(String word) {
        return named(word, 0);
    }

    /**
     * The policy of a word.
     *
     * @param resetS seconds between two computations of shares at least, for those by shares
     * @throws ConfigException naming all words, if there is none
     */
    public static Policy named(String word, double resetS) {
        if (word.startsWith(LEARNED)) {
            return LearnedPolicies.read(Path.of(word.substring(LEARNED.length())));
        }
        List<Policy> all = all(resetS);
        List<String> words = all.stream().map(Policy::name).toList();
        for (Policy policy : all) {
            if (policy.name().equals(word)) {
                return policy;
            }
        }
        String near = DidYouMean.of(word, words).map("did you mean %s? "::formatted).orElse("");
        throw new ConfigException(
                "there is no policy '%s': %sone of %s, or learned:FILE"
                        .formatted(word, near, String.join(", ", words)));
    }
}
