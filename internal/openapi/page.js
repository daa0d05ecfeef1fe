// Forms are tried by opening the address that they make: empty fields are left
// out, and fields named like a variable of the path go there.
for (const form of document.querySelectorAll("form[data-path]")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = new URLSearchParams();
    let path = form.dataset.path;
    for (const field of form.elements) {
      if (!field.name || field.value === "") continue;
      const variable = "{" + field.name + "}";
      if (path.includes(variable)) path = path.replace(variable, encodeURIComponent(field.value));
      else query.set(field.name, field.value);
    }
    const text = query.toString();
    window.open(path + (text && "?" + text), "_blank", "noopener");
  });
}
