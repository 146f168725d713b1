// Renders the document that the same service serves; nothing is loaded from anywhere else.
window.onload = function () {
  SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#documentation",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
};
