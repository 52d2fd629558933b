package dev.medley.serving.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.medley.serving.ServingFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("unit")
@Timeout(60)
class CountedBodyTest {
    private final HeldBodies bodies = new HeldBodies(100);

    private static HttpRequestWriter post() {
        return HttpRequest.streaming(RequestHeaders.of(HttpMethod.POST, "/", "x", "1"));
    }

    @Test
    void shouldEndABodyThatIsTooMuchBeforeItIsWhole() {
        HttpRequestWriter request = post();
        CompletableFuture<AggregatedHttpRequest> whole = CountedBody.whole(request, bodies.share());
        assertThat(request.tryWrite(HttpData.ofUtf8("a".repeat(60)))).isTrue();
        assertThat(request.tryWrite(HttpData.ofUtf8("a".repeat(60)))).isTrue();
        // It is never closed: what had to wait for its end would wait for ever.
        assertThatThrownBy(() -> whole.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ServingFailure.class)
                .hasMessageContaining("too many large requests");
        assertThat(request.isOpen()).isFalse();
    }

    @Test
    void shouldBoundAllThatHaveNotEnded() {
        List<CompletableFuture<AggregatedHttpRequest>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            HttpRequestWriter request = post();
            all.add(CountedBody.whole(request, bodies.share()));
            request.write(HttpData.ofUtf8("b".repeat(20)));
        }
        // Whichever comes last: each has a thread of its own.
        CompletableFuture<Object> refused =
                CompletableFuture.anyOf(all.toArray(CompletableFuture[]::new));
        assertThatThrownBy(() -> refused.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ServingFailure.class);
        assertThat(all).filteredOn(CompletableFuture::isDone).hasSize(1);
    }

    @Test
    void shouldHandOnWhatWasSent() throws Exception {
        for (int pieces = 0; pieces < 4; pieces++) {
            HttpRequestWriter request = post();
            CompletableFuture<AggregatedHttpRequest> whole =
                    CountedBody.whole(request, bodies.share());
            for (int i = 0; i < pieces; i++) {
                request.write(HttpData.ofUtf8("piece" + i));
            }
            request.write(HttpHeaders.of("t", "2"));
            request.close();
            AggregatedHttpRequest sent = whole.get(30, TimeUnit.SECONDS);
            assertThat(sent.contentUtf8()).isEqualTo("piece0piece1piece2".substring(0, 6 * pieces));
            assertThat(sent.headers().get("x")).isEqualTo("1");
            assertThat(sent.trailers().get("t")).isEqualTo("2");
        }
    }

    @Test
    void shouldHandOnAnAnswerWithItsLastHeaders() throws Exception {
        HttpResponseWriter response = HttpResponse.streaming();
        CompletableFuture<AggregatedHttpResponse> whole =
                CountedBody.whole(response, bodies.share());
        response.write(ResponseHeaders.of(HttpStatus.CONTINUE));
        response.write(ResponseHeaders.of(HttpStatus.CREATED));
        response.write(HttpData.ofUtf8("made"));
        response.close();
        AggregatedHttpResponse answer = whole.get(30, TimeUnit.SECONDS);
        assertThat(answer.status()).isEqualTo(HttpStatus.CREATED);
        assertThat(answer.contentUtf8()).isEqualTo("made");
    }

    @Test
    void shouldFailOfWhatEndedIt() {
        HttpRequestWriter request = post();
        CompletableFuture<AggregatedHttpRequest> whole = CountedBody.whole(request, bodies.share());
        request.close(new IllegalStateException("cut off"));
        assertThatThrownBy(() -> whole.get(30, TimeUnit.SECONDS)).hasRootCauseMessage("cut off");
    }
}
