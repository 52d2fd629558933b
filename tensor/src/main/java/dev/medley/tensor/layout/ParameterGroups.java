package dev.medley.tensor.layout;

import dev.medley.base.ConfigException;
import dev.medley.base.job.TrainSpec.ParameterGroupSpec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the settings of parameters that are treated differently. The first group whose pattern
 * matches a name holds.
 */
public final class ParameterGroups {
    private final List<ParameterGroupSpec> groups;

    /** The groups in the order in which they are tried. */
    public ParameterGroups(List<ParameterGroupSpec> groups) {
        this.groups = List.copyOf(groups);
    }

    /** Whether a parameter stays as it is. */
    public boolean isFrozen(String name) {
        return find(name).map(ParameterGroupSpec::frozen).orElse(false);
    }

    /** The learning rate of a parameter. */
    public double learningRate(String name, double otherwise) {
        return find(name).map(ParameterGroupSpec::learningRate).orElse(otherwise);
    }

    /** The weight decay of a parameter. */
    public double weightDecay(String name, double otherwise) {
        return find(name).map(ParameterGroupSpec::weightDecay).orElse(otherwise);
    }

    /**
     * Checks that every group has a parameter.
     *
     * @throws ConfigException for a pattern that matches none of {@code names}
     */
    public void check(Collection<String> names) {
        for (ParameterGroupSpec group : groups) {
            Pattern pattern = compile(group.pattern());
            ConfigException.check(
                    names.stream().anyMatch(name -> pattern.matcher(name).matches()),
                    "train.groups: no parameter matches \"%s\"; the parameters are %s",
                    group.pattern(),
                    names);
        }
    }

    private Optional<ParameterGroupSpec> find(String name) {
        return groups.stream()
                .filter(group -> compile(group.pattern()).matcher(name).matches())
                .findFirst();
    }

    private static Pattern compile(String glob) {
        return Pattern.compile(
                Pattern.compile("\\*")
                        .splitAsStream(glob + "\0")
                        .map(part -> Pattern.quote(part.replace("\0", "")))
                        .collect(Collectors.joining(".*")));
    }
}
