package dev.medley.connect.salesforce;

import dev.medley.connect.salesforce.call.OrgCall;
import dev.medley.connect.salesforce.call.ResultRecords;
import dev.medley.connect.salesforce.call.SalesforceCalls;
import dev.medley.store.file.TemporaryFolder;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fetches pages of a result into files, some at once, so that memory does not grow with a page's
 * size. A page counts when it came whole and has the rows that its answer says, where it says so.
 *
 * <p>Thread: belongs to its maker; fetching threads only write files of their own.
 */
final class PageFetcher implements AutoCloseable {
    static final int AT_ONCE = 4;
    private static final int TRIES = 3;
    private static final Pattern LOCATOR = Pattern.compile("[?&]locator=([^&]*)");

    private final SalesforceCalls calls;
    private final List<String> columns;
    private final Path folder;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(AT_ONCE, PageFetcher::named);
    private int pages;

    PageFetcher(SalesforceCalls calls, List<String> columns) throws IOException {
        this.calls = calls;
        this.columns = columns;
        this.folder = TemporaryFolder.make("salesforce");
    }

    private static Thread named(Runnable work) {
        Thread thread = new Thread(work, "salesforce-page");
        thread.setDaemon(true);
        return thread;
    }

    /** Where a page is. */
    record Place(String url, String locator) {
        static Place of(String url) throws IOException {
            Matcher matcher = LOCATOR.matcher(url);
            if (!url.startsWith("/services/") || !matcher.find()) {
                throw new IOException("Salesforce names a page '%s', which is none".formatted(url));
            }
            return new Place(url, URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8));
        }
    }

    /** Takes one row. */
    interface Rows {
        void row(List<String> values) throws IOException;
    }

    /** Begins to fetch a page. */
    Coming fetch(Place place) {
        Path file = folder.resolve("page-" + pages++);
        return new Coming(place.locator(), file, threads.submit(() -> fetched(place, file)));
    }

    private Path fetched(Place place, Path file) throws IOException {
        for (int tries = 1; ; tries++) {
            SalesforceCalls.Reply reply = calls.download(OrgCall.get(place.url()), file);
            Counted counted = count(file);
            boolean isAsSaid = reply.rows().isEmpty() || reply.rows().get() == counted.rows();
            if (isAsSaid && !counted.isTorn()) {
                return file;
            }
            if (tries == TRIES) {
                throw new IOException(
                        "a page of the result has %,d rows%s%s: it was cut on the way"
                                .formatted(
                                        counted.rows(),
                                        counted.isTorn() ? " and ends within a value" : "",
                                        reply.rows()
                                                .map(n -> ", its answer says " + n)
                                                .orElse("")));
            }
        }
    }

    /** The rows of a file, and whether it ends within a value. */
    private record Counted(long rows, boolean isTorn) {}

    private Counted count(Path file) throws IOException {
        long lines = 0;
        boolean isQuoted = false;
        boolean isAny = false;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                for (int i = 0; i < n; i++) {
                    byte b = buffer[i];
                    isQuoted ^= b == '"';
                    if (b == '\n' && !isQuoted) {
                        lines += isAny ? 1 : 0;
                        isAny = false;
                    } else {
                        isAny |= b != '\r';
                    }
                }
            }
        }
        lines += isAny ? 1 : 0;
        boolean hasHeader = !isQuoted && hasHeader(file);
        return new Counted(lines - (hasHeader ? 1 : 0), isQuoted);
    }

    /** Some give the names on each page, some on the first one only. */
    private boolean hasHeader(Path file) throws IOException {
        try (ResultRecords records = new ResultRecords(Files.newBufferedReader(file))) {
            return isHeader(records.next());
        }
    }

    private boolean isHeader(List<String> record) {
        return record.size() == columns.size()
                && String.join(",", record).equalsIgnoreCase(String.join(",", columns));
    }

    /** A page that comes. */
    final class Coming {
        private final String locator;
        private final Path file;
        private final Future<Path> fetched;

        Coming(String locator, Path file, Future<Path> fetched) {
            this.locator = locator;
            this.file = file;
            this.fetched = fetched;
        }

        String locator() {
            return locator;
        }

        /** Waits for it, gives its rows, and removes its file; how many rows it had. */
        long deliver(Rows sink) throws IOException {
            long rows = 0;
            try (ResultRecords records = new ResultRecords(Files.newBufferedReader(whole()))) {
                List<String> record = records.next();
                if (isHeader(record)) {
                    record = records.next();
                }
                for (; !record.isEmpty(); record = records.next()) {
                    if (record.size() != columns.size()) {
                        throw new IOException(
                                "a row of the result has %d values, but %d fields were asked for"
                                        .formatted(record.size(), columns.size()));
                    }
                    sink.row(record);
                    rows++;
                }
            }
            Files.delete(file);
            return rows;
        }

        private Path whole() throws IOException {
            try {
                return fetched.get(); // Each of its calls has a deadline.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while a page was fetched", e);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException io) {
                    throw io;
                }
                if (e.getCause() instanceof RuntimeException unchecked) {
                    throw unchecked;
                }
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        try {
            boolean isOver = threads.awaitTermination(10, java.util.concurrent.TimeUnit.SECONDS);
            if (!isOver) {
                return; // The next process sweeps the folder.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try (java.util.stream.Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
