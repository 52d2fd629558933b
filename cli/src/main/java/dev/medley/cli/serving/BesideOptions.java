package dev.medley.cli.serving;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.base.time.Clock;
import dev.medley.serving.explain.ExplainLimits;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.http.ServeObservers;
import dev.medley.serving.input.InputPort;
import dev.medley.serving.log.LogOptions;
import dev.medley.serving.log.Masks;
import dev.medley.serving.log.RequestLog;
import dev.medley.serving.oidc.OidcCallers;
import dev.medley.serving.trace.ServeTraces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options of a server for what it does beside answering: logs, figures, traces. */
final class BesideOptions {
    private static final long MIB = 1 << 20;
    private static final long MINUTE_NS = 60_000_000_000L;

    @Option(
            names = "--log",
            paramLabel = "FILE|DIR",
            description =
                    "Writes requests and answers: a .jsonl or .parquet file, or a folder of them.")
    private @Nullable Path log;

    @Option(
            names = "--log-format",
            paramLabel = "WORD",
            description = "jsonl or parquet, in a folder (default: jsonl).")
    private @Nullable String format;

    @Option(
            names = "--log-sample",
            paramLabel = "SHARE",
            description = "Share of the requests that is written, as 10%% (default: all).")
    private @Nullable String logSample;

    @Option(
            names = "--log-mask",
            paramLabel = "COLUMN,...",
            split = ",",
            description = "Columns whose values are written nowhere, *** in their place.")
    private List<String> masked = new ArrayList<>();

    @Option(
            names = "--log-file-mib",
            paramLabel = "N",
            description = "A new file after so many MiB (default: ${DEFAULT-VALUE}).")
    private double fileMib = 64;

    @Option(
            names = "--log-file-minutes",
            paramLabel = "N",
            description = "A new file after so many minutes (default: ${DEFAULT-VALUE}).")
    private double fileMinutes = 60;

    @Option(
            names = "--explain-sample",
            paramLabel = "SHARE",
            description =
                    "Share of the requests of which a row is explained for the figures, as 1%%"
                            + " (default: none).")
    private @Nullable String explainSample;

    @Option(
            names = "--oidc",
            paramLabel = "URL",
            description = "Issuer (OpenID Connect) whose tokens let callers in.")
    private @Nullable String issuer;

    @Option(
            names = "--oidc-audience",
            paramLabel = "NAME",
            description = "For whom its tokens have to be (default: any; give one).")
    private @Nullable String audience;

    /** Who comes with tokens of an issuer; null for none. */
    @Nullable OidcCallers oidc(Consumer<String> tell) {
        check(audience == null || issuer != null, "--oidc-audience needs --oidc");
        if (issuer == null) {
            return null;
        }
        OidcCallers callers = OidcCallers.of(issuer, audience, Clock.system());
        if (audience == null) {
            tell.accept(
                    "tokens of %s let in whoever they are for: give --oidc-audience"
                            .formatted(issuer));
        }
        return callers;
    }

    /**
     * What is done beside the answers.
     *
     * @throws ConfigException if an option is none, or the log cannot be written
     */
    ServeObservers observers(Consumer<String> tell) {
        ExplainLimits explain =
                explainSample == null
                        ? ExplainLimits.USUAL
                        : ExplainLimits.USUAL.withShare(share("--explain-sample", explainSample));
        LogOptions options = logOptions();
        ServeTraces traces = ServeTraces.of(System.getenv());
        RequestLog begun =
                options == null
                        ? null
                        : RequestLog.open(
                                options, new Masks(Set.copyOf(masked)), Clock.system(), tell);
        return new ServeObservers(explain, begun, traces);
    }

    private @Nullable LogOptions logOptions() {
        Path to = log;
        if (to == null) {
            check(
                    masked.isEmpty() && logSample == null && format == null,
                    "--log-mask, --log-sample and --log-format need --log");
            return null;
        }
        double share = logSample == null ? 1 : share("--log-sample", logSample);
        check(fileMib > 0, "--log-file-mib %s: give more than 0", fileMib);
        check(fileMinutes > 0, "--log-file-minutes %s: give more than 0", fileMinutes);
        LogOptions options = LogOptions.to(to, share);
        if (format != null) {
            options = options.in(formatOf(format));
        }
        return options.rotated(
                Math.max(1, (long) (fileMib * MIB)), Math.max(1, (long) (fileMinutes * MINUTE_NS)));
    }

    private static LogOptions.Format formatOf(String word) {
        for (LogOptions.Format each : LogOptions.Format.values()) {
            if (each.name().equalsIgnoreCase(word)) {
                return each;
            }
        }
        throw new ConfigException("--log-format %s: there are jsonl and parquet".formatted(word));
    }

    /** A share, as 0.1 or 10%. */
    static double share(String option, String text) {
        String bare = text.strip();
        boolean isPercent = bare.endsWith("%");
        try {
            double number =
                    Double.parseDouble(isPercent ? bare.substring(0, bare.length() - 1) : bare);
            double share = isPercent ? number / 100 : number;
            check(
                    share >= 0 && share <= 1,
                    "%s %s: give a share from 0 to 1, or 0%% to 100%%",
                    option,
                    text);
            return share;
        } catch (NumberFormatException e) {
            throw new ConfigException(
                    "%s %s: is no share: give one as 0.1 or 10%%".formatted(option, text), e);
        }
    }

    /** Says which masked columns no model reads: they may be misspelt. */
    void sayUnknownMasks(ModelHost host, Consumer<String> tell) {
        Set<String> known = new HashSet<>();
        host.entries()
                .values()
                .forEach(
                        entry ->
                                entry.versions().stream()
                                        .flatMap(model -> model.inputs().stream())
                                        .map(InputPort::name)
                                        .forEach(name -> known.add(name.toLowerCase(Locale.ROOT))));
        for (String name : masked) {
            if (!known.contains(name.strip().toLowerCase(Locale.ROOT))) {
                tell.accept(
                        "--log-mask %s: no model reads such a column%s; it is masked where rows have it"
                                .formatted(
                                        name,
                                        DidYouMean.of(name, known)
                                                .map(near -> " (did you mean '" + near + "'?)")
                                                .orElse("")));
            }
        }
    }
}
