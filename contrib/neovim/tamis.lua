-- Tamis in Neovim, without any plugin: put this file into ~/.config/nvim/plugin/, or `dofile` it from init.lua.
-- Saving a C file checks it. Violations are diagnostics (:lua vim.diagnostic.open_float()), invariants inlay hints beside
-- their loops, and :TamisCheck, :TamisCancel and code actions (:lua vim.lsp.buf.code_action()) do the rest.
-- For Neovim 0.10 or newer.

local settings = {
  -- check = "save",                 -- or "open", "never"
  -- timeout = "30s",
  -- memory = "2GB",
  -- property = { "memory-safety" },
  -- arguments = { "-I", "include" },
}

local function start(buffer)
  if vim.api.nvim_buf_get_name(buffer) == "" then return end
  vim.lsp.start({
    name = "tamis",
    cmd = { vim.env.TAMIS or "tamis", "lsp" },
    root_dir = vim.fs.dirname(vim.fs.find({ "tamis.toml", "compile_commands.json", ".git" }, {
      upward = true,
      path = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer)),
    })[1]),
    init_options = settings,
    on_attach = function(client, attached)
      if vim.lsp.inlay_hint then vim.lsp.inlay_hint.enable(true, { bufnr = attached }) end
    end,
  }, { bufnr = buffer })
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "c",
  callback = function(event) start(event.buf) end,
})

local running

vim.api.nvim_create_user_command("TamisCheck", function()
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_clients({ bufnr = buffer, name = "tamis" })[1]
  if not client then return vim.notify("Tamis does not run here", vim.log.levels.WARN) end
  vim.cmd("write")
  local params = { command = "tamis.check", arguments = { vim.uri_from_bufnr(buffer) } }
  local _, request = client.request("workspace/executeCommand", params, function(failed, answer)
    running = nil
    vim.notify(failed and failed.message or answer.verdict)
  end, buffer)
  running = function() client.cancel_request(request) end
end, { desc = "Check this file with Tamis" })

vim.api.nvim_create_user_command("TamisCancel", function()
  if running then running() end
end, { desc = "End the check that :TamisCheck has started" })
