package dev.medley.loop.rollout;

import dev.medley.base.ConfigException;
import dev.medley.loop.stage.LoopModels;
import dev.medley.loop.stage.LoopStage;
import dev.medley.loop.stage.StageContext;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.VersionFacts;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.VersionCard;
import dev.medley.store.model.ModelFolder;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes the model in production back, and holds its recipe from coming back by itself. */
public final class RollbackStage implements LoopStage {
    /** Its name, and that of its decision. */
    public static final String NAME = "rollback";

    /**
     * Says what is asked for.
     *
     * @param from the version in production
     * @param to the version that answers then
     */
    public record Asked(int from, int to, String by, String why) {}

    /** One of the two versions, for the history. */
    private record Side(int version, String weightsSha256, @Nullable VersionFacts made) {}

    private record Numbers(Side from, Side to, Hold hold) {}

    private final Asked asked;
    private final Holds holds;

    /** As asked for. */
    public RollbackStage(Asked asked, Holds holds) {
        this.asked = asked;
        this.holds = holds;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        LoopModels models = holds.models();
        int now = models.production().orElse(0);
        if (now != asked.from() && now != asked.to()) {
            throw new ConfigException(
                    "version %d answers by now, and not version %d: say it again, if it is still meant"
                            .formatted(now, asked.from()));
        }
        ModelFolder.read(models.model(asked.to())); // Every byte is what it was, or it is said.
        Hold hold = holds.begin(context, asked.from(), asked.why());
        if (now == asked.from()) { // Else it was cut off behind this.
            models.registry()
                    .rollback(
                            models.name(),
                            Registry.PRODUCTION,
                            asked.to(),
                            asked.by(),
                            asked.why());
        }
        Numbers numbers = new Numbers(side(context, asked.from()), side(context, asked.to()), hold);
        String what =
                "version %d answers again in place of version %d: %s"
                        .formatted(asked.to(), asked.from(), asked.why());
        context.decide(NAME, "to version " + asked.to(), what, numbers);
        return StageEnd.done(what, numbers);
    }

    private Side side(StageContext context, int version) {
        LoopModels models = holds.models();
        Optional<VersionCard> card =
                models.registry().versions(models.name()).stream()
                        .filter(each -> each.version() == version)
                        .findFirst();
        return new Side(
                version,
                card.map(VersionCard::weightsSha256).orElse(""),
                models.facts(context.state(), version).orElse(null));
    }
}
