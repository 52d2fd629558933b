package dev.medley.serving.follow;

import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.TrafficDeeds;
import dev.medley.serving.registry.TrafficPlan;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Brings a host to what an alias leads to: the version itself, those that its plan of traffic names
 * beside it, and no others. Whatever a version does when it is loaded, those that answer go on, and
 * a plan begins when all its versions are ready.
 *
 * <p>Thread: one at a time.
 */
public final class FollowedAlias {
    private final ModelHost host;
    private final Registry registry;
    private final CanaryJudge judge;
    private final FailedLoads failed;
    private final Consumer<String> say;
    private final String alias;
    private ModelName now;

    /**
     * Of an alias.
     *
     * @param now what is loaded of it
     */
    public FollowedAlias(
            ModelHost host,
            Registry registry,
            CanaryJudge judge,
            FailedLoads failed,
            Consumer<String> say,
            String alias,
            ModelName now) {
        this.host = host;
        this.registry = registry;
        this.judge = judge;
        this.failed = failed;
        this.say = say;
        this.alias = alias;
        this.now = now;
    }

    /** Looks where the alias leads by now, and loads what that asks for. */
    public void look() {
        try {
            replace();
            deal();
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
            trouble(now + " still answers: ", e);
        }
    }

    private void replace() {
        int version = registry.find(now.name(), alias);
        ModelName wanted = new ModelName(now.name(), "" + version);
        boolean isThere = wanted.equals(now) && !host.isLost(now.name());
        if (isThere || !failed.isDue(wanted)) {
            return;
        }
        judge.leave(now.name()); // A plan is beside the version that it was made for.
        ModelHost.Replaced replaced = host.replace(wanted, registry.model(now.name(), version));
        failed.loaded(wanted);
        say.accept(
                "%s answers in place of version %s (%s): %s"
                        .formatted(
                                wanted, now.version(), replaced.how(), replaced.model().engine()));
        now = wanted;
    }

    private void deal() {
        Optional<TrafficPlan> plan =
                new TrafficDeeds(registry)
                        .inForce(now.name(), alias)
                        .filter(p -> now.version().equals("" + p.champion()))
                        .filter(p -> !judge.isOver(p))
                        .filter(p -> host.entry(now.name()).current() != null);
        Set<String> wanted = new TreeSet<>();
        plan.ifPresent(
                p -> {
                    p.shares().keySet().forEach(version -> wanted.add("" + version));
                    wanted.add("" + (p.challenger() > 0 ? p.challenger() : p.champion()));
                });
        boolean areReady = plan.isPresent() && areReady(wanted);
        if (areReady) {
            if (judge.follow(now.name(), alias, plan.orElseThrow())) {
                say.accept(now.name() + ": " + plan.orElseThrow().words());
            }
        } else {
            judge.leave(now.name());
        }
        host.keepOnly(now.name(), wanted);
    }

    private boolean areReady(Set<String> wanted) {
        boolean areReady = true;
        for (String version : wanted) {
            ModelName name = new ModelName(now.name(), version);
            boolean isLoaded =
                    host.entry(now.name()).versions().stream().anyMatch(m -> m.name().equals(name));
            if (isLoaded) {
                continue;
            }
            if (failed.isDue(name)) {
                try {
                    host.loadBeside(name, registry.model(now.name(), Integer.parseInt(version)));
                    failed.loaded(name);
                    continue;
                } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
                    trouble(name + " gets no requests: ", e);
                }
            }
            areReady = false;
        }
        return areReady;
    }

    private void trouble(String who, Throwable e) {
        String sentence = who + FailedLoads.words(e);
        if (failed.isNew(sentence)) {
            say.accept(sentence);
        }
    }
}
